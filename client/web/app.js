// app.js - greets the server over its WebSocket and says who answered.
const status = document.getElementById("status");
const socket = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")), "aye.v1");
socket.onopen = () => socket.send(JSON.stringify({
	id: 1, method: "session.hello", params: { protocol: 1, client: "aye web" },
}));
socket.onmessage = (event) => {
	const message = JSON.parse(event.data);
	status.textContent = message.error ? message.error.message : "Connected";
};
socket.onclose = () => { status.textContent = "Not connected"; };
