/*
 * dom.js - what the browser shows, says and keeps. A view builds what it shows anew for each change; morph()
 * makes the page the same, and keeps elements with their focus and what is typed. Text is never read as markup.
 */

/* All else is an attribute. `key` tells siblings apart that come, go and move. */
const PROPERTIES = ["key", "onclick", "onsubmit", "oninput", "onchange", "ontoggle"];

/* "button.card.mine" is a tag with its classes; then texts, elements, lists of them, and properties. */
export function el(name, ...parts) {
	const [tag, ...classes] = name.split(".");
	const node = document.createElement(tag);
	const all = [{ class: classes.join(" ") }, ...parts].flat(Infinity).filter((part) => part || part === 0);
	const isSet = (part) => part.constructor === Object;
	for (const [property, value] of all.filter(isSet).flatMap(Object.entries)) {
		if (PROPERTIES.includes(property)) {
			node[property] = value;
		} else if (value || value === 0 || property.startsWith("aria-")) {
			node.setAttribute(property, value);
		}
	}
	node.append(...all.filter((part) => !isSet(part)));
	return node;
}

/* What people wrote: from right to left, it must not turn its neighbours around. */
export const theirs = (text) => el("bdi", text);

export const unseen = (text) => el("span.unseen", text);

export const button = (label, onclick, properties = {}) => el("button", { type: "button", onclick, ...properties }, label);

export function form(send, ...parts) {
	const onsubmit = (event) => {
		event.preventDefault();
		send(event.target.elements);
	};
	return el("form.panel", { onsubmit }, parts);
}

/* Buttons of which one is pressed; an option is a value, or [value, label]. */
export function choices(label, options, chosen, choose, name = "span.choices") {
	return el(name, { role: "group", "aria-label": label }, options.map((option) => {
		const [value, text = value] = [option].flat();
		return button(text, () => choose(value), { key: `${value}`, "aria-pressed": value === chosen });
	}));
}

/* Make `old`, which is in the page, the same as `now`, an element of the same kind. */
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
	let at = old.firstChild;
	for (const child of [...now.childNodes]) {
		const same = child.key ? keyed.get(child.key) : at;
		if (same?.nodeName !== child.nodeName || same.key !== child.key) {
			old.insertBefore(child, at);
			continue;
		}
		if (same === at) {
			at = at.nextSibling;
		} else {
			old.insertBefore(same, at);
		}
		morph(same, child);
	}
	while (at) {
		const gone = at;
		at = at.nextSibling;
		gone.remove();
	}
}

/* ---- what is said ---- */

const SAID_MS = 6000;
const TOLD_LINES = 30;
let hiding = 0;

/* A line for a screen reader, of what others see; false is none. */
export function tell(line) {
	const log = document.getElementById("log");
	log.append(...(line ? [el("p", { dir: "auto" }, line)] : []));
	[...log.children].slice(0, -TOLD_LINES).forEach((old) => old.remove());
}

/* A line for everyone, for a moment. */
export function say(line) {
	const said = document.getElementById("said");
	tell(line);
	said.textContent = line;
	said.hidden = false;
	clearTimeout(hiding);
	hiding = setTimeout(() => (said.hidden = true), SAID_MS);
}

/* For catch(). */
export const sayRefusal = ({ sentence }) => say(sentence);

/* ---- what is kept: a name, a session, keys ---- */

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
