// Written by Fuda for one run. It stops calls of tools: some are refused, about some a person is asked.
import { spawn } from "node:child_process";
import { resolve } from "node:path";

const BEFORE = /^(?:(?:sudo|env|command|nohup|time|exec)\s+|[A-Za-z_][A-Za-z0-9_]*=\S*\s+)+/;

function matches(pattern, part) {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*");
  return new RegExp(`^${escaped}${pattern.endsWith("*") ? "" : "(?:\\s.*)?"}$`, "s").test(part);
}

function parts(command) {
  const single = command.split(/&&|\|\||[;|&\n()`]/).map((part) => part.trim().replace(BEFORE, ""));
  return [command.trim(), ...single].map((part) => part.replace(/\s+/g, " "));
}

function concerns(rule, tool, input, folder) {
  if (tool === "bash" && typeof input.command === "string") {
    const run = parts(input.command);
    if (rule.commands.some((pattern) => run.some((part) => matches(pattern, part)))) return true;
  }
  if (rule.web && /^https?:/i.test(String(input.path ?? ""))) return true;
  if (!rule.tools.includes(tool)) return false;
  if (rule.paths.length === 0) return true;
  const named = Array.isArray(input.paths) && input.paths.length > 0 ? input.paths : [input.path ?? "."];
  // oh-my-pi names lines behind a colon: a.go:10-20.
  const places = named.flatMap((path) => [String(path), String(path).replace(/:[^/]*$/, "")]);
  const at = places.map((path) => resolve(folder, path));
  return rule.paths.some((path) => at.some((one) => one === path || one.startsWith(`${path}/`)));
}

function ask(tool, what) {
  return new Promise((done) => {
    const child = spawn(FUDA, ["ask"], { env: { ...process.env, ...ENVIRONMENT }, stdio: ["pipe", "pipe", "ignore"] });
    let said = "";
    child.stdout.on("data", (bytes) => (said += bytes));
    child.on("error", () => done({ allow: false, because: "Nobody could be asked." }));
    child.on("close", () => {
      try {
        done(JSON.parse(said));
      } catch {
        done({ allow: false, because: "Nobody could be asked." });
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ tool, what }));
  });
}

export default function (pi) {
  pi.on("tool_call", async (event, context) => {
    const input = event.input ?? {};
    const folder = context?.cwd ?? process.cwd();
    const found = RULES.filter((rule) => concerns(rule, event.toolName, input, folder));
    const never = found.find((rule) => !rule.ask);
    if (never) return { block: true, reason: `The approved boundary refuses ${never.what}.` };
    if (found.length === 0) return undefined;
    const what = typeof input.command === "string" ? input.command : JSON.stringify(input);
    const answer = await ask(event.toolName, what);
    return answer.allow === true ? undefined : { block: true, reason: `Not allowed: ${answer.because}` };
  });
}
