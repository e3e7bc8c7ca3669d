/*
 * keep.js - what this browser remembers: the name used last, a session, and for each room its
 * {user_key, host_key?, username?, role?}. In a private window it may be nothing.
 */
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
		/* full, or forbidden: the page works without */
	}
}
