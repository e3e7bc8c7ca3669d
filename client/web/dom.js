/* dom.js - what the browser shows, says and keeps. Text is never markup. */

/* All else is an attribute. `key` tells siblings apart that come, go and move. */
const PROPERTIES = ["key", "onclick", "onsubmit", "oninput", "onchange", "ontoggle"];

/* "button.card.mine" is a tag and classes; then texts, elements, lists of them, properties. */
export function el(name, ...parts) {
	const [tag, ...classes] = name.split(".");
	const node = document.createElement(tag);
	const set = ([property, value]) => {
		if (PROPERTIES.includes(property)) {
			node[property] = value;
		} else if (value || value === 0 || property.startsWith("aria-")) {
			node.setAttribute(property, value);
		}
	};
	node.className = classes.join(" ");
	for (const part of parts.flat(Infinity).filter((each) => each || each === 0)) {
		part.constructor === Object ? Object.entries(part).forEach(set) : node.append(part);
	}
	return node;
}

/* What people wrote: from right to left, it must not turn its neighbours around. */
export const theirs = (text) => el("bdi", text);

export const unseen = (text) => el("span.unseen", text);

export const button = (label, onclick, properties = {}) => el("button", { type: "button", onclick, ...properties }, label);

export const field = (id, label, properties, tag = "input") =>
	[el("label", { for: id }, label), el(tag, { id, dir: "auto", autocomplete: "off", ...properties })];

/* `send` gets the fields, by their ids. */
export function form(send, parts, ...buttons) {
	const onsubmit = (event) => {
		event.preventDefault();
		send(event.target.elements);
	};
	return el("form.panel", { onsubmit }, parts, el("p.buttons", buttons));
}

/* A form of one line; buttons are [label, what it does], the main one first. */
export function lineForm(label, refusal, properties, [first, enter], [second, other] = []) {
	const typed = () => document.getElementById("line").value.trim();
	return form(() => enter(typed()), [{ key: label }, el("h1", el("label", { for: "line" }, label)),
		refusal && el("p.refusal", { role: "alert" }, refusal),
		el("input", { id: "line", required: true, dir: "auto", ...properties })], second && button(second, () => other(typed())), el("button.primary", first));
}

export const nameForm = (why, ...buttons) =>
	lineForm("Your name", why, { value: recall("name"), autocomplete: "nickname" }, ...buttons);

/* Buttons of which one is pressed; an option is a value, or [value, label]. */
export function choices(label, options, chosen, choose, name = "span.choices") {
	return el(name, { role: "group", "aria-label": label }, options.map((option) => {
		const [value, text = value] = [option].flat();
		return button(text, () => choose(value), { key: `${value}`, "aria-pressed": value === chosen });
	}));
}

/* Views are built anew for each change. Make `old` the same as `now`, but keep its focus and what is typed. */
export function morph(old, now) {
	if (old.nodeType === Node.TEXT_NODE) {
		old.data = now.data;
		return;
	}
	for (const { name } of [...old.attributes]) {
		if (!now.hasAttribute(name) && name !== "open") { /* its reader opens a <details> */
			old.removeAttribute(name);
		}
	}
	for (const { name, value } of now.attributes) {
		old.setAttribute(name, value);
	}
	PROPERTIES.forEach((name) => (old[name] = now[name]));
	const keyed = new Map([...old.childNodes].map((node) => [node.key, node]));
	const children = [...now.childNodes];
	children.forEach((child, i) => {
		const at = old.childNodes[i] ?? null;
		const same = child.key ? keyed.get(child.key) : at;
		const isSame = same?.nodeName === child.nodeName && same.key === child.key;
		if (!isSame || same !== at) {
			old.insertBefore(isSame ? same : child, at);
		}
		if (isSame) {
			morph(same, child);
		}
	});
	while (old.childNodes.length > children.length) {
		old.lastChild.remove();
	}
}

/* ---- what is said ---- */

const SAID_MS = 6000;
const TOLD_LINES = 30;
let hiding = 0;

/* A line for a screen reader, of what others see; false is none. */
export function tell(line) {
	const log = document.getElementById("log");
	if (line) {
		log.append(el("p", { dir: "auto" }, line));
	}
	[...log.children].slice(0, -TOLD_LINES).forEach((old) => old.remove());
}

export function say(line) {
	const said = document.getElementById("said");
	tell(line);
	said.textContent = line;
	said.hidden = false;
	clearTimeout(hiding);
	hiding = setTimeout(() => (said.hidden = true), SAID_MS);
}

export const sayRefusal = ({ sentence }) => say(sentence);

/* ---- what is kept ---- */

export function recall(name) {
	try {
		return JSON.parse(localStorage.getItem(`aye.${name}`));
	} catch {
		return null;
	}
}

export function keep(name, value) {
	try {
		localStorage.setItem(`aye.${name}`, JSON.stringify(value));
	} catch {
		/* full, or forbidden */
	}
}
