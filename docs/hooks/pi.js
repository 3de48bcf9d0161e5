// Offers what is approved in Fuda at a session's start, and leaves a handoff at a usage limit or before a compaction.
import { spawn } from "node:child_process";

// The input goes through standard input, without a shell. What `fuda` prints is JSON, or nothing.
function hook(event, context, more = {}) {
  return new Promise((done) => {
    const child = spawn("fuda", ["hook", "pi"], { stdio: ["pipe", "pipe", "ignore"] });
    let said = "";
    child.stdout.on("data", (bytes) => (said += bytes));
    child.on("error", () => done(undefined));
    child.on("close", () => {
      try {
        done(JSON.parse(said).hookSpecificOutput.additionalContext);
      } catch {
        done(undefined);
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(
      JSON.stringify({
        hook_event_name: event,
        session_id: context.sessionManager.getSessionId(),
        transcript_path: context.sessionManager.getSessionFile(),
        cwd: context.cwd,
        model: context.model?.id,
        ...more,
      }),
    );
  });
}

export default function (pi) {
  let offer;
  pi.on("session_start", async (event, context) => {
    const source = event.reason === "new" ? "startup" : event.reason;
    offer = await hook("SessionStart", context, { source });
  });
  pi.on("before_agent_start", async () => {
    const content = offer;
    offer = undefined;
    return content && { message: { customType: "fuda", content, display: true } };
  });
  pi.on("session_before_compact", async (_event, context) => {
    await hook("PreCompact", context);
  });
  pi.on("agent_end", async (event, context) => {
    const last = event.messages.filter((message) => message.role === "assistant").at(-1);
    if (last?.stopReason !== "error") return;
    await hook("StopFailure", context, { error: last.errorMessage ?? "error" });
  });
}
