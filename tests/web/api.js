/*
 * api.js - a client of the protocol in a few lines, by its documentation (proto/README.md) and npm's `ws`,
 * which shares nothing with the page: a JSON text for a request, an answer, a notification.
 */
import { once } from "node:events";
import WebSocket from "ws";

export class Api {
	static async open(server) {
		const api = new Api();
		api.open = new Map();
		api.notices = [];
		api.socket = new WebSocket(server.ws, "aye.v1");
		api.socket.on("message", (data) => api.take(JSON.parse(data)));
		await once(api.socket, "open");
		api.hello = await api.call("session.hello", { protocol: 1, client: "example/1" });
		return api;
	}

	take({ id, error, result, method, params }) {
		if (method) {
			this.notices.push({ method, params });
			this.socket.emit("notice");
		} else {
			const { resolve, reject } = this.open.get(id);
			this.open.delete(id);
			error ? reject(Object.assign(new Error(error.message), error)) : resolve(result);
		}
	}

	call(method, params) {
		const id = (this.last = (this.last ?? 0) + 1);
		this.socket.send(JSON.stringify({ id, method, params }));
		return new Promise((resolve, reject) => this.open.set(id, { resolve, reject }));
	}

	/* Take a seat and a name. */
	async join(room_id, username, more = {}) {
		this.seat = await this.call("room.subscribe", { room_id, ...more });
		return this.call("room.join", { room_id, username });
	}

	/* A new room, as its host. */
	async host(username, params) {
		const { room_id, host_key } = await this.call("room.create", params);
		await this.join(room_id, username, { host_key });
		return { room_id, host_key };
	}

	/* The first notification, also of those that have come, which is so. */
	async notice(isIt) {
		let found;
		while (!(found = this.notices.find(isIt))) {
			await once(this.socket, "notice", { signal: AbortSignal.timeout(30000) });
		}
		return found;
	}

	async close() {
		const closed = once(this.socket, "close");
		this.socket.close();
		return closed;
	}
}
