/*
 * wire.js - a connection to the server, of the protocol in proto/README.md. It notices a server that is
 * silent, and comes back after a random time that doubles; what it had, its owner asks for again, in up().
 * A change without an answer is repeated after that if it is not old, else refused with the code LOST.
 */
const HELLO_MS = 8000;
const SILENT_MS = 10000; /* then a ping, */
const PING_MS = 5000; /* which has so long */
const REPEAT_MS = 10000;
const WAIT_MS_LEAST = 500;
const WAIT_MS_MOST = 30000;

/* What a refused promise is rejected with; the sentence is for people. */
function refusal({ code, message, field = "", retry_after_ms }) {
	const wait = retry_after_ms ? `; try again in ${Math.ceil(retry_after_ms / 1000)} s` : "";
	const line = `${field && `${field.replaceAll("_", " ")}: `}${message}${wait}`;
	return Object.assign(new Error(message), { code, retry_after_ms, sentence: line.charAt(0).toUpperCase() + line.slice(1) });
}

const lost = () => refusal({ code: "LOST", message: "not connected; try again in a moment" });

/* 32 random bytes in base64url. */
export function randomKey() {
	const random = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)));
	return btoa(random).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export class Wire {
	/* owner: up(), after the hello, may be async; down(why); notice(method, params) */
	constructor(owner) {
		this.owner = owner;
		this.tries = 0;
		this.lastId = 0;
		this.open = new Map(); /* requests without an answer, by id */
		this.repeats = []; /* changes to send again */
		this.aheadMs = 0; /* the server's clock */
		this.pulse = setInterval(() => this.feel(), PING_MS);
		this.connect();
	}

	stop() {
		this.isStopped = true;
		clearInterval(this.pulse);
		clearTimeout(this.retry);
		this.retry = 0;
		this.drop();
	}

	get link() {
		return this.isUp ? "live" : this.tries > 0 ? "lost" : "connecting";
	}

	/* The server's time. */
	now() {
		return Date.now() + this.aheadMs;
	}

	/* The result, or a refusal. sentAt: of a change that may be repeated */
	call(method, params, sentAt) {
		return new Promise((resolve, reject) => this.send({ method, params, sentAt, resolve, reject }));
	}

	change(method, params) {
		return this.call(method, { ...params, idempotency_key: randomKey() }, Date.now());
	}

	send(request) {
		const { method, params, sentAt = Date.now(), reject } = request;
		const id = ++this.lastId;
		if (this.socket.readyState === WebSocket.OPEN && Date.now() - sentAt < REPEAT_MS) {
			this.open.set(id, request);
			this.socket.send(JSON.stringify({ id, method, params }));
		} else {
			reject(lost());
		}
	}

	connect() {
		const socket = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")), "aye.v1");
		socket.onopen = () => this.hello().catch(({ message }) => this.lose(message));
		socket.onmessage = ({ data }) => this.take(JSON.parse(data));
		socket.onclose = () => this.lose("");
		this.socket = socket;
		this.heardAt = Date.now();
		this.pingAt = 0;
		this.deadline = setTimeout(() => this.lose("the server does not answer"), HELLO_MS);
	}

	connectNow() {
		if (this.retry) {
			clearTimeout(this.retry);
			this.retry = 0;
			this.connect();
		}
	}

	async hello() {
		const sentAt = Date.now();
		const { now } = await this.call("session.hello", { protocol: 1, client: "aye-web/1" });
		this.aheadMs = now - (sentAt + Date.now()) / 2;
		clearTimeout(this.deadline);
		this.isUp = true;
		this.tries = 0;
		this.closing = "";
		await this.owner.up();
		if (this.isUp) {
			this.repeats.splice(0).forEach((request) => this.send(request));
		}
	}

	take({ id, error, result, method, params }) {
		const request = this.open.get(id);
		this.heardAt = Date.now();
		this.open.delete(id);
		if (request && error) {
			request.reject(refusal(error));
		} else if (request) {
			request.resolve(result ?? {});
		} else if (method === "server.closing") {
			this.closing = params.reason;
		} else if (method) {
			this.owner.notice(method, params);
		}
	}

	/* Timers of a hidden page are late: only a ping without an answer is silence. */
	feel() {
		if (this.isUp && this.heardAt < this.pingAt) {
			this.lose("the server does not answer");
		} else if (this.isUp && Date.now() - this.heardAt > SILENT_MS) {
			this.pingAt = Date.now();
			this.call("server.ping").catch(() => {});
		}
	}

	lose(why) {
		if (!this.retry && !this.isStopped) {
			const wait = Math.min(WAIT_MS_MOST, WAIT_MS_LEAST * 2 ** this.tries++);
			this.retry = setTimeout(() => this.connectNow(), wait * (0.5 + Math.random() / 2));
			this.drop();
			this.owner.down(this.closing || why);
		}
	}

	drop() {
		const all = [...this.open.values(), ...this.repeats];
		clearTimeout(this.deadline);
		this.isUp = false;
		this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
		this.socket.close();
		this.open.clear();
		this.repeats = all.filter(({ sentAt }) => !this.isStopped && Date.now() - sentAt < REPEAT_MS);
		all.filter((request) => !this.repeats.includes(request)).forEach(({ reject }) => reject(lost()));
	}
}
