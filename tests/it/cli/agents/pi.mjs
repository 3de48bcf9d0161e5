#!/usr/bin/env node
// Stands for pi and oh-my-pi: loads the extension that it is given and lets it judge a few calls of tools.
import { appendFileSync, readFileSync } from "node:fs";

const argv = process.argv.slice(2);
if (argv.includes("--help")) {
  console.log("--mode <mode> --extension, -e <path> --exclude-tools --tools");
  process.exit(0);
}
readFileSync(0);
const say = (line) => console.log(JSON.stringify(line));
say({ type: "session", version: 3, id: "0199c8de-2222-7000-8000-00000000000b" });
let judge;
const { default: extension } = await import(argv[argv.indexOf("--extension") + 1]);
extension({ on: (event, handler) => event === "tool_call" && (judge = handler) });
const calls = [
  ["bash", { command: "ls -l" }],
  ["bash", { command: "cd . && FOO=1 git push origin main" }],
  ["bash", { command: "rm -rf build" }],
  ["write", { path: "notes.txt", content: "x" }],
  ["edit", { path: "./queue.go", oldText: "a", newText: "b" }],
  ["edit", { input: "[notes.txt#1A2B]", path: "notes.txt", paths: ["notes.txt", "queue.go:3-9"] }],
];
for (const [toolName, input] of calls) {
  const answer = await judge({ type: "tool_call", toolName, toolCallId: "t", input }, { cwd: process.cwd() });
  appendFileSync("answers", `${toolName}: ${answer?.block ? answer.reason : "runs"}\n`);
}
say({ type: "message_end", message: { role: "assistant", stopReason: "stop", content: [{ type: "text", text: "Done." }] } });
say({ type: "agent_end", messages: [] });
