// mcp_sdk.mjs - what an agent does, by the SDK's own Client over its StdioClientTransport.
//
// The SDK checks each message against its schemas, and structured content against the tool's
// outputSchema: whatever does not fit throws. Prints TAP, from the second claim on.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LATEST_PROTOCOL_VERSION, ResultSchema } from '@modelcontextprotocol/sdk/types.js';

const { AYE, SERVER_PID } = process.env;
const home = process.argv[2];
let claims = 1;
let failures = 0;

function claim(text, isTrue, told = '') {
	claims++;
	failures += isTrue ? 0 : 1;
	console.log(`${isTrue ? '' : 'not '}ok ${claims} - ${text}`);
	if (!isTrue) {
		console.log(`# ${JSON.stringify(told)}`);
	}
}

// The error that a promise has to end with.
async function errorOf(promise) {
	try {
		return { code: 0, value: await promise };
	} catch (error) {
		return error;
	}
}

// One verb of a person with a state of their own.
function aye(who, ...words) {
	return execFileSync(AYE, words, {
		env: { ...process.env, XDG_STATE_HOME: `${home}/state-${who}` },
	}).toString();
}

class Agent {
	constructor(...words) {
		this.client = new Client({ name: 'test', version: '1' });
		this.transport = new StdioClientTransport({
			command: AYE, args: ['mcp', ...words], env: process.env, stderr: 'pipe',
		});
		this.transport.setProtocolVersion = (version) => { this.version = version; };
		this.errors = [];
		this.client.onerror = (error) => this.errors.push(String(error));
	}

	async open() {
		await this.client.connect(this.transport);
		this.transport.stderr.on('data', (text) => this.errors.push(String(text)));
		this.tools = (await this.client.listTools()).tools; // from now on structured content is checked
		return this;
	}

	tool(name, args, options) {
		return this.client.callTool({ name, arguments: args }, undefined, options);
	}

	async close() {
		await this.client.close();
		return this.errors;
	}
}

const one = await new Agent('--name', 'builder').open();
claim(`the SDK's version ${LATEST_PROTOCOL_VERSION} is agreed`, one.version === LATEST_PROTOCOL_VERSION, one.version);
claim('the server says what it is', one.client.getServerVersion().name === 'aye' &&
	one.client.getServerCapabilities().tools !== undefined && one.client.getInstructions().length > 0);
claim('the tools are listed', one.tools.map((tool) => tool.name).join() === 'ask_human,check_human_responses', one.tools);
claim('a ping is answered', JSON.stringify(await one.client.ping()) === '{}');

const asked = await one.tool('ask_human', { question: 'Shall we ship it today?', options: ['yes', 'no'], min_responses: 2 });
const id = asked.structuredContent.question_id;
claim('a choice is asked', asked.structuredContent.status === 'OPEN' && !asked.isError, asked);
const words = await one.tool('ask_human', { question: 'What should we look at before?', min_responses: 1, audience: ['technical'] });
claim('so is a question in words', words.structuredContent.type === 'text', words);

const two = await new Agent('--name', 'builder').open();
const both = await Promise.all([1, 2, 3, 4].flatMap((n) => [one, two].map((agent) =>
	agent.tool('ask_human', { question: `Is this number ${n} of several at once?` }))));
claim('two clients ask at once', new Set(both.map((each) => each.structuredContent.question_id)).size === 8, both);
claim('and share a session', (await two.tool('check_human_responses', { question_id: id })).structuredContent.is_mine);

for (const [who, option] of [['grace', 0], ['alan', 1]]) {
	aye(who, 'login', who);
	aye(who, 'call', 'question.answer', JSON.stringify({ question_id: id, selected_option: option, comment: 'said so' }));
}
aye('grace', 'call', 'question.answer', JSON.stringify({
	question_id: words.structuredContent.question_id, answer: 'The migration.\nAnd the "vendor" \u00e4\u6f22 \u{1f600}.',
}));
const checked = (await one.tool('check_human_responses', { question_id: id })).structuredContent;
claim('a choice that is answered is closed', checked.status === 'CLOSED' && checked.responses.length === 2 &&
	checked.summary.every((each) => each.votes === 1), checked);
const read = await two.tool('check_human_responses', { question_id: words.structuredContent.question_id });
claim('words come as they were written', read.structuredContent.responses[0].answer ===
	'The migration.\nAnd the "vendor" \u00e4\u6f22 \u{1f600}.' && read.content[0].text.includes('> And the "vendor"'), read);

const wrong = await one.tool('ask_human', { question: '?', min_responses: 5 });
claim('wrong arguments are a result that is an error', wrong.isError === true && wrong.content[0].text.includes('question'), wrong);
const unknown = await one.tool('check_human_responses', { question_id: 'q_AAAAAAAAAA' });
claim('so is an unknown question', unknown.isError === true, unknown);
claim('an unknown tool is an error of the protocol', (await errorOf(one.tool('rm', {}))).code === -32602);
claim('so is an unknown method', (await errorOf(one.client.request({ method: 'nothing/at_all' }, ResultSchema))).code === -32601);

process.kill(Number(SERVER_PID), 'SIGSTOP');
const stop = new AbortController();
const cancelled = errorOf(one.tool('ask_human', { question: 'Does anybody want this?' }, { signal: stop.signal }));
await one.client.ping();
stop.abort('never mind');
await cancelled;
process.kill(Number(SERVER_PID), 'SIGCONT');
const after = await one.tool('ask_human', { question: 'Does anybody want that?' });
claim('after a cancelled call the next one is answered', !after.isError, after);
claim('no error and no answer that was not asked for', (await one.close()).concat(await two.close()).length === 0,
	[one.errors, two.errors]);
process.exit(failures > 0 ? 1 : 0);
