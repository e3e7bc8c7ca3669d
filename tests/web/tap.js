/*
 * tap.js - claims, one after another, in TAP for tests/run.
 */
let claims = 0;

/* `prove` throws if the claim does not hold; what it throws is shown. */
export async function test(claim, prove) {
	claims++;
	try {
		await prove();
		console.log(`ok ${claims} - ${claim}`);
	} catch (error) {
		console.log(`not ok ${claims} - ${claim}`);
		console.log(String(error.stack ?? error).replaceAll(/^/gm, "# "));
		process.exitCode = 1;
	}
}

/* Once, after the last: without it, tests/run sees that claims are missing. */
export function end() {
	console.log(`1..${claims}`);
}
