/* wire.js - a connection that comes back. Its owner asks again for what it had; a change without an answer is repeated, or LOST. */
const SILENT_MS = 8000;
const REPEAT_MS = 10000;
const WAIT_MS_LEAST = 400;
const WAIT_MS_MOST = 30000;
const WAIT_MS_HOME = 1000;
const PASSING = /ELSEWHERE|UNAVAILABLE|RATE_LIMITED|SERVER_ERROR/; /* what is read is asked for again */

/* What a promise is rejected with. */
function refusal({ code, message, field = "", retry_after_ms }) {
	const wait = retry_after_ms ? `; try again in ${Math.ceil(retry_after_ms / 1000)} s` : "";
	const line = `${field && `${field.replaceAll("_", " ")}: `}${message}${wait}`;
	return { code, retry_after_ms, sentence: line[0].toUpperCase() + line.slice(1) };
}

export function randomKey() {
	const random = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)));
	return btoa(random).replaceAll("+", "-").replaceAll("/", "_").slice(0, -1);
}

export class Wire {
	link = "connecting";
	tries = 0;
	why = "";
	lastId = 0;
	open = new Map(); /* requests without an answer, by id */
	waiting = []; /* changes to send when we are back */
	aheadMs = 0; /* the server's clock */

	/* owner: up(), behind the hello, may be async; down(why); notice(method, params); draw() */
	constructor(owner) {
		this.owner = owner;
		this.connect();
	}

	stop() {
		this.isStopped = true;
		this.drop();
	}

	get isOpen() {
		return this.socket.readyState === WebSocket.OPEN;
	}

	get isUp() {
		return this.link === "live";
	}

	now() {
		return Date.now() + this.aheadMs;
	}

	/* when(): true sends it, false lets it wait, null refuses it */
	call(method, params, when = () => this.isOpen || null) {
		return new Promise((resolve, reject) => this.send({ method, params, when, resolve, reject }));
	}

	change(method, params, when) {
		const end = Date.now() + REPEAT_MS;
		return this.call(method, { ...params, idempotency_key: randomKey() }, when ?? (() => Date.now() < end || null));
	}

	send(request) {
		const { method, params, when, reject } = request;
		const isTime = when();
		if (isTime === null) {
			reject({ code: "LOST", sentence: "Not connected; try again in a moment" });
		} else if (isTime && this.isOpen) {
			this.open.set(++this.lastId, request);
			this.socket.send(JSON.stringify({ id: this.lastId, method, params }));
		} else {
			this.waiting.push(request);
		}
	}

	sendWaiting() {
		this.waiting.splice(0).forEach((request) => this.send(request));
	}

	connect() {
		this.socket = Object.assign(new WebSocket("ws", "aye.v1"), {
			onopen: () => this.hello().catch((why) => this.lose(why)),
			onmessage: ({ data }) => this.take(JSON.parse(data)),
			onclose: () => this.lose(),
		});
		this.isHeard = false;
		this.pulse = setInterval(() => this.feel(), SILENT_MS);
	}

	connectNow() {
		if (this.retry && !this.isStopped) {
			clearTimeout(this.retry);
			this.retry = 0;
			this.connect();
		}
	}

	async hello() {
		const sentAt = Date.now();
		const room_id = this.owner.room_id?.match(/^\w{6,16}$/)?.[0];
		const greeting = this.call("session.hello", { protocol: 1, client: "aye-web/1", room_id });
		const entering = this.owner.up(); /* in the same round trip */
		const { now } = await greeting;
		this.aheadMs = now - (sentAt + Date.now()) / 2;
		this.link = "live";
		this.owner.draw?.();
		await entering;
		this.isUp && Object.assign(this, { tries: 0, why: "" }).sendWaiting();
	}

	take({ id, error, result, method, params }) {
		const request = this.open.get(id);
		this.isHeard = true;
		if (error && (request.params?.idempotency_key ? /ELSEWHERE/ : PASSING).test(error.code)) {
			return this.lose(refusal(error));
		}
		this.open.delete(id);
		if (request) {
			error ? request.reject(refusal(error)) : request.resolve(result ?? {});
		} else if (method === "server.closing") {
			this.why = params.reason;
		} else if (method) {
			this.owner.notice(method, params);
		}
	}

	/* Timers of a hidden page are late: only a ping without an answer is silence. */
	feel() {
		if (!this.isHeard) {
			return this.lose({ sentence: "The server does not answer" });
		}
		this.isHeard = false;
		this.call("server.ping").catch(() => {});
	}

	lose({ sentence = this.why, code, retry_after_ms = 0 } = {}) {
		if (!this.retry && !this.isStopped) {
			const most = /ELSEWHERE|UNAVAILABLE/.test(code) ? WAIT_MS_HOME : WAIT_MS_MOST;
			const wait = Math.min(most, WAIT_MS_LEAST * 2 ** this.tries++);
			this.retry = setTimeout(() => this.connectNow(), retry_after_ms + wait * (0.5 + Math.random() / 2));
			this.drop();
			this.owner.down((this.why = sentence));
		}
	}

	drop() {
		this.waiting.unshift(...this.open.values());
		clearInterval(this.pulse);
		this.link = "lost";
		this.socket.onclose = null;
		this.socket.close();
		this.open.clear();
		this.sendWaiting();
	}
}
