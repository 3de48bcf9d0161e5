#!/usr/bin/env node
// Stands for Claude Code: prints its stream and sends permission prompts to the server that its configuration names.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";

const argv = process.argv.slice(2);
if (argv.includes("--help")) {
  console.log("--settings --output-format --verbose --mcp-config");
  process.exit(0);
}
const value = (flag) => argv[argv.indexOf(flag) + 1];
const say = (line) => console.log(JSON.stringify(line));
const block = readFileSync(0, "utf8");
if (!block.includes("Move ingest")) process.exit(9);
const settings = JSON.parse(readFileSync(value("--settings"), "utf8"));
say({ type: "system", subtype: "init", session_id: "s-1", permissionMode: "default", tools: ["Bash"], claude_code_version: "2.1.300" });

const server = JSON.parse(readFileSync(value("--mcp-config"), "utf8")).mcpServers.fuda;
const child = spawn(server.command, server.args, { env: { PATH: process.env.PATH, ...server.env }, stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let rest = "";
child.stdout.on("data", (bytes) => {
  const lines = (rest + bytes).split("\n");
  rest = lines.pop();
  for (const line of lines.filter(Boolean)) {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message.result ?? message.error);
  }
});
let id = 0;
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const request = (method, params) =>
  new Promise((done) => {
    waiting.set(++id, done);
    send({ id, method, params });
  });

await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "stub", version: "1" } });
send({ method: "notifications/initialized" });
const tool = value("--permission-prompt-tool").replace(/^mcp__fuda__/, "");
for (const command of ["git push origin main", "git push origin other"]) {
  if (!settings.permissions.ask.some((rule) => rule.startsWith("Bash(git push"))) process.exit(8);
  say({ type: "assistant", message: { content: [{ type: "tool_use", name: "Bash", input: { command } }] } });
  const result = await request("tools/call", { name: tool, arguments: { tool_name: "Bash", input: { command }, tool_use_id: "t" } });
  appendFileSync("answers", `${result.content[0].text}\n`);
}
child.stdin.end();
say({ type: "assistant", message: { content: [{ type: "text", text: "Done." }] } });
say({ type: "result", subtype: "success", is_error: false, result: "Done." });
