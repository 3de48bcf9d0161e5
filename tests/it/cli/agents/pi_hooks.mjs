#!/usr/bin/env node
// Stands for pi: loads an extension and tells it of one session, from its start to a usage limit. Prints what the
// extension would put before the first turn.
const [extension, transcript] = process.argv.slice(2);
const handlers = {};
(await import(extension)).default({ on: (event, handler) => (handlers[event] = handler) });
const context = {
  cwd: process.cwd(),
  model: { id: "stub" },
  sessionManager: { getSessionId: () => "0199c8de-2222-7000-8000-00000000000b", getSessionFile: () => transcript },
};
await handlers.session_start({ type: "session_start", reason: "startup" }, context);
const before = await handlers.before_agent_start({ type: "before_agent_start", prompt: "Go on." }, context);
console.log(before?.message?.content ?? "nothing");
const again = await handlers.before_agent_start({ type: "before_agent_start", prompt: "Go on." }, context);
if (again !== undefined) process.exit(9);
const failed = { role: "assistant", content: [], stopReason: "error", errorMessage: "429 You have hit your usage limit. Try again in 60 minutes." };
await handlers.agent_end({ type: "agent_end", messages: [{ role: "user", content: "Go on." }, failed] }, context);
