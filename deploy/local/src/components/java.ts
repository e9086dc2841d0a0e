import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../problem.ts'

/** Keycloak's own floor. */
const oldestJava = 17

/**
 * The Java that JAVA_HOME names, else the one on the PATH.
 * @returns its command
 * @throws Problem if there is none or it is too old
 */
export async function requireJava(environment: NodeJS.ProcessEnv): Promise<string> {
  const home = environment['JAVA_HOME']?.trim()
  const command = home ? join(home, 'bin', 'java') : 'java'
  const remedy = `Install Java ${oldestJava} or newer, or set JAVA_HOME to it; without KEYCLOAK=real the stand-in runs.`
  const major = await javaVersion(command)
  if (major === undefined) throw new Problem(`Keycloak needs Java, and ${command} does not run.`, remedy)
  if (major < oldestJava) throw new Problem(`Keycloak needs a newer Java: ${command} is version ${major}.`, remedy)
  return command
}

async function javaVersion(command: string): Promise<number | undefined> {
  const printed = await promisify(execFile)(command, ['-version'], { timeout: 15_000 }).catch(() => undefined)
  return majorVersion(printed?.stderr ?? '')
}

/** The major version in what `java -version` prints: `17.0.15` → 17; 1 for every version before 9. */
export function majorVersion(printed: string): number | undefined {
  const version = /version "(\d+)/.exec(printed)?.[1]
  return version === undefined ? undefined : Number(version)
}
