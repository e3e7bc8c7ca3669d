/*
 * programs.js - what a test starts: a server with a directory of its own, aye in the hands of a person
 * with a state of their own, aye on a terminal, and a browser. All of it ends, by process id, with the
 * test, and nothing is left of it on the disk.
 *
 * AYE and AYED are the programs, as for the other tests. Nothing here waits for time to pass: a screen is
 * looked at again and again, and WAIT_MS is when a test gives up.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import puppeteer from "puppeteer-core";

export const WAIT_MS = 30000;
const LOOK_AGAIN_MS = 20;
const REMOVE_TRIES = 1000;
const { AYE, AYED, CHROMIUM = "/usr/bin/chromium" } = process.env;
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
	/* Pages of its own, which each new window would load beside ours: 120 files. */
	"--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
	"--hide-scrollbars"]; /* so that 320 px are 320 px, and a picture is what is seen */
const run = promisify(execFile);

/* What to do when the test has ended, however it did: end what still runs, then remove its directories. */
const running = new Map(); /* signals, by process id; less than 0 is a group */
const directories = [];

process.once("SIGTERM", () => process.exit(1)); /* given up by tests/run */
process.on("exit", () => {
	running.forEach((signal, pid) => attempt(() => process.kill(pid, signal)));
	directories.forEach(remove);
});

/* Whether it could be done. */
function attempt(act) {
	try {
		act();
		return true;
	} catch {
		return false;
	}
}

/* Again where a process that is just ending wrote meanwhile. */
function remove(path) {
	for (let tries = 0; tries < REMOVE_TRIES && !attempt(() => rmSync(path, { recursive: true, force: true })); tries++);
}

function temporary(name) {
	const path = mkdtempSync(`${tmpdir()}/aye-web-${name}-`);
	directories.push(path);
	return path;
}

export class Server {
	/* more: further arguments of ayed; its data is in a directory of its own, if they do not say where it is */
	static async start(...more) {
		const server = new Server();
		server.home = temporary("server");
		server.socket = `unix:${server.home}/socket`;
		const data = more.includes("--store") ? [] : ["--data", `${server.home}/data`];
		const words = [...data, "--allow-root", "--listen", server.socket, "--listen", "http://127.0.0.1:0", ...more];
		server.process = spawn(AYED, words, { stdio: ["ignore", "pipe", "ignore"] });
		running.set(server.process.pid, "SIGTERM");
		const [ready] = await once(createInterface(server.process.stdout), "line");
		server.web = `${/http:\/\/[\d.]+:\d+/.exec(ready)[0]}/`;
		server.ws = `${server.web.replace("http", "ws")}ws`;
		return server;
	}

	/* Until one of its metrics has this value. */
	async counts(metric, value) {
		const line = `ayed_${metric} ${value}`;
		const last = Date.now() + WAIT_MS;
		while (!(await run(AYED, ["stats", "--prometheus", this.socket])).stdout.split("\n").includes(line)) {
			assert.ok(Date.now() < last, line);
			await sleep(LOOK_AGAIN_MS);
		}
	}

	async stop(signal = "SIGTERM") {
		const ended = once(this.process, "exit");
		this.process.kill(signal);
		await ended;
		running.delete(this.process.pid);
	}
}

/* A port that nobody gets who does not ask for it: who closes a connection first keeps its port for a minute. */
async function ownPort() {
	const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address();
	await once(connect(port, "127.0.0.1").resume(), "close");
	server.close();
	return port;
}

/* A Redis, and servers that share it: nodes. */
export class Redis {
	static async start() {
		const redis = new Redis();
		redis.home = temporary("redis");
		const words = ["--port", "0", "--unixsocket", `${redis.home}/socket`, "--unixsocketperm", "700", "--dir", redis.home,
			"--appendonly", "yes", "--save", ""];
		redis.process = spawn("redis-server", words, { stdio: ["ignore", "pipe", "ignore"] });
		running.set(redis.process.pid, "SIGKILL");
		const lines = createInterface(redis.process.stdout);
		await new Promise((resolve) => lines.on("line", (line) => line.includes("ready to accept connections") && resolve()));
		await run(AYED, ["key", "new", `${redis.home}/key`]);
		return redis;
	}

	/* What a script does with the list of nodes. */
	async changeNodes(script) {
		await run("redis-cli", ["-s", `${this.home}/socket`, "eval", script, "1", "{d}n"]);
	}

	async startNode() {
		return Server.start("--store", `redis+unix://${this.home}/socket`, "--key-file", `${this.home}/key`,
			"--cluster-listen", `127.0.0.1:${await ownPort()}`);
	}

	async stop() {
		const ended = once(this.process, "exit");
		this.process.kill("SIGKILL");
		await ended;
		running.delete(this.process.pid);
	}
}

/* A person with aye: verbs in a shell, and a screen in a terminal, which is tmux. */
export class Terminal {
	constructor(server, name) {
		this.name = name;
		this.home = temporary(name);
		mkdirSync(`${this.home}/state`, { mode: 0o700 });
		const { PATH } = process.env;
		this.env = { PATH, HOME: this.home, XDG_STATE_HOME: `${this.home}/state`, XDG_RUNTIME_DIR: this.home,
			AYE_SERVER: server.socket, AYE_NAME: name, LC_ALL: "C.UTF-8", TERM: "xterm-256color" };
	}

	/* What a verb prints. */
	async aye(...words) {
		return (await run(AYE, words, { env: this.env })).stdout.trim();
	}

	/* The result of one request. */
	async call(method, params) {
		return JSON.parse(await this.aye("call", method, JSON.stringify(params)));
	}

	/* A room as the methods make it: nothing reveals by itself, unless the policy says so. */
	newRoom(policy = {}, more = {}) {
		return this.call("room.create", { ...more, policy });
	}

	/* A room that this person hosts; words are those of `aye room policy`. */
	async hostRoom(...policy) {
		const { room_id } = JSON.parse(await this.aye("new", "--json"));
		await this.aye("room", "policy", room_id, "auto_reveal=off", ...policy);
		return room_id;
	}

	/* From now on there is no server but the one that aye starts for its user. */
	goAlone() {
		delete this.env.AYE_SERVER;
	}

	/* End that server: it is known by where its data is. */
	async endOwnServer() {
		const isOurs = (pid) => attempt(() => {
			const [, option, path] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
			assert.ok(option === "--data" && path.startsWith(`${this.home}/`));
		});
		for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOurs(name))) {
			process.kill(Number(pid));
			while (attempt(() => process.kill(Number(pid), 0))) {
				await sleep(LOOK_AGAIN_MS);
			}
		}
	}

	/* A verb that prints lines for as long as it can read. */
	listen(...words) {
		return new Listener(spawn(AYE, words, { env: this.env, stdio: ["pipe", "pipe", "ignore"] }));
	}

	/* The key of the seat that it has in a room, from its state. */
	seatKey(room_id) {
		const rooms = `${this.home}/state/aye/rooms`;
		const [file] = readdirSync(rooms).filter((name) => name.endsWith(`-${room_id}.json`));
		return JSON.parse(readFileSync(`${rooms}/${file}`)).seats[this.name];
	}

	async tmux(...words) {
		return (await run("tmux", ["-S", `${this.home}/tmux`, "-f", "/dev/null", ...words], { env: this.env })).stdout;
	}

	/* A verb that has a screen. */
	async open(...words) {
		await this.tmux("new-session", "-d", "-s", "it", "-x", "80", "-y", "24", AYE, ...words);
		this.multiplexer = Number(await this.tmux("display-message", "-p", "#{pid}"));
		running.set(this.multiplexer, "SIGTERM");
	}

	async type(...keys) {
		await this.tmux("send-keys", "-t", "it", ...keys);
	}

	/* Until the screen shows this text. */
	async sees(text) {
		const last = Date.now() + WAIT_MS;
		let screen = "";
		while (!screen.includes(text)) {
			if (Date.now() > last) {
				throw new Error(`${this.name}'s terminal does not show ${text}, but\n${screen}`);
			}
			await sleep(LOOK_AGAIN_MS);
			screen = await this.tmux("capture-pane", "-p", "-t", "it");
		}
	}

	async close() {
		await this.tmux("kill-server").catch(() => {}); /* its screen has ended */
		running.delete(this.multiplexer);
	}
}

/* A process that prints lines; the spaces at their ends are left out. */
class Listener {
	lines = [];

	constructor(process) {
		this.process = process;
		this.reader = createInterface(process.stdout);
		this.reader.on("line", (line) => this.lines.push(line.trim()));
		running.set(process.pid, "SIGTERM");
	}

	/* Until there are more lines than n. */
	async hearsMore(n) {
		while (this.lines.length <= n) {
			await once(this.reader, "line", { signal: AbortSignal.timeout(WAIT_MS) });
		}
	}

	async hears(line) {
		while (!this.lines.includes(line)) {
			await this.hearsMore(this.lines.length);
		}
	}

	async close() {
		const ended = once(this.process, "exit");
		this.process.stdin.end();
		this.process.kill();
		await ended;
		running.delete(this.process.pid);
	}
}

export async function openBrowser() {
	const home = temporary("browser");
	const browser = await puppeteer.launch({
		executablePath: CHROMIUM,
		ignoreDefaultArgs: true,
		args: [...FLAGS, `--user-data-dir=${home}`, "about:blank"],
		env: { ...process.env, HOME: home },
		protocolTimeout: 2 * WAIT_MS,
		handleSIGTERM: false,
	});
	running.set(-browser.process().pid, "SIGKILL");
	browser.on("disconnected", () => running.delete(-browser.process().pid));
	return browser;
}
