#!/usr/bin/env node
// Stands for an agent that speaks the Agent Client Protocol: it asks before a push and before an edit, and writes down
// what it was told. Its behaviour is in a file beside it.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const argv = process.argv.slice(2);
if (argv.includes("--help")) {
  console.log("--acp  --admin-policy <file>  --exclude-tools <rule>  -o, --output-format");
  process.exit(0);
}
const told = process.env.TOLD;
const wish = existsSync(`${told}.wish`) ? JSON.parse(readFileSync(`${told}.wish`, "utf8")) : {};
const note = (line) => appendFileSync(told, `${JSON.stringify(line)}\n`);
note({ argv });
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const update = (update) => send({ method: "session/update", params: { sessionId: "s-000000001", update } });
const waiting = new Map();
let id = 0;
const request = (method, params) =>
  new Promise((done) => {
    waiting.set(id, done);
    send({ id: id++, method, params });
  });
const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

async function prompt(message) {
  note({ prompt: message.params.prompt });
  if (message.params.prompt[0].text.startsWith("That call was not allowed.") && !wish.deaf) {
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I go on without it." } });
    return send({ id: message.id, result: { stopReason: "end_turn" } });
  }
  if (wish.fails) return send({ id: message.id, error: { code: -32603, message: wish.fails } });
  if (wish.leaves) process.exit(0);
  if (wish.mode_later) update({ sessionUpdate: "current_mode_update", currentModeId: wish.mode_later });
  if (wish.silent) return send({ id: message.id, result: { stopReason: "end_turn" } });
  const unknown = await request("vendor/drain", {});
  note({ unknown: unknown.error.code });
  update({ sessionUpdate: "tool_call", toolCallId: "t1", title: "git push origin main", kind: "execute", status: "pending" });
  const calls = [
    { toolCallId: "t1", title: "git push origin main", kind: "execute", rawInput: { command: "git push origin main" } },
    { toolCallId: "t2", title: "Edit queue.go", kind: "edit", content: [{ type: "diff", path: "queue.go", oldText: "a", newText: "b" }] },
  ];
  for (const toolCall of calls) {
    const answer = await request("session/request_permission", { sessionId: "s-000000001", toolCall, options });
    note({ answer: answer.result.outcome });
    // Some end their turn at a refusal, without a word.
    if (wish.ends_at_no && answer.result.outcome.optionId === "no") return send({ id: message.id, result: { stopReason: "end_turn" } });
  }
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } });
  send({ id: message.id, result: { stopReason: wish.stop ?? "end_turn" } });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) return waiting.get(message.id)?.(message);
  if (message.method === "initialize") {
    note({ capabilities: message.params.clientCapabilities });
    const agentInfo = { name: "stub", version: "9.9.9" };
    return send({ id: message.id, result: { protocolVersion: wish.protocol ?? 1, agentInfo, agentCapabilities: {} } });
  }
  if (message.method === "session/new") {
    const modes = { currentModeId: wish.mode ?? "default", availableModes: (wish.modes ?? ["default", "yolo"]).map((id) => ({ id, name: id })) };
    return send({ id: message.id, result: { sessionId: "s-000000001", modes } });
  }
  if (message.method === "session/set_mode") {
    note({ mode: message.params.modeId });
    return send({ id: message.id, result: {} });
  }
  if (message.method === "session/prompt") return prompt(message);
});
