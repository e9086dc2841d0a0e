import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { StackContext } from '../component.ts'
import { repoRoot } from '../paths.ts'
import { Problem } from '../problem.ts'
import { compareVersions } from '../tools/locate.ts'
import { keycloakTool } from '../tools/manifest.ts'
import { toolFor } from '../tools/tool-for.ts'

/** Oldest supported version: earlier ones trust a provider's `email_verified` too far. */
const oldestKeycloak = '26.3'
/** Realms and theme, as they are given to every Keycloak. */
export const realmFolder = join(repoRoot, 'deploy', 'keycloak')
/** Passwords that many people have; the realm's policy names the file. */
export const passwordListFolder = join(realmFolder, 'password-blacklists')
export const realms = ['parley', 'google-offline']

/** A server folder of this stack's own, ready to start. */
export interface KeycloakHome {
  readonly folder: string
  readonly version: string
}

/**
 * Readies the stack's server folder: a copy of KEYCLOAK_HOME or of what Maven has, with the theme and the realms of
 * `deploy/keycloak`. The database of an earlier start is kept, also when the version changed.
 * @throws Problem if there is no Keycloak to be had
 */
export async function readyKeycloakHome(
  dataDir: string,
  context: Pick<StackContext, 'environment' | 'toolsDir' | 'note' | 'signal'>,
): Promise<KeycloakHome> {
  const folder = join(dataDir, 'server')
  const configuredHome = context.environment['KEYCLOAK_HOME']?.trim()
  const tool = configuredHome ? undefined : await toolFor(keycloakTool, context)
  const version = tool?.version ?? givenVersion(configuredHome ?? '')
  if (readVersion(folder) !== version) {
    context.note(`Unpacking Keycloak ${version} …`)
    await replaceServer(folder, (draft) =>
      tool ? unzip(tool.path, draft, version) : cp(configuredHome ?? '', draft, { recursive: true }),
    )
  }
  await copyRealms(folder)
  return { folder, version }
}

/** Returns the version that a distribution states; undefined where there is none. */
function readVersion(folder: string): string | undefined {
  const file = join(folder, 'version.txt')
  return existsSync(file) ? /(\d+\.\d+\.\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined
}

function givenVersion(folder: string): string {
  const version = readVersion(folder)
  const remedy = `Set KEYCLOAK_HOME to the folder of an unpacked Keycloak ${oldestKeycloak} or newer, or unset it.`
  if (version === undefined) throw new Problem(`KEYCLOAK_HOME (${folder}) is not the folder of a Keycloak.`, remedy)
  if (compareVersions(version, oldestKeycloak) >= 0) return version
  throw new Problem(`KEYCLOAK_HOME (${folder}) is Keycloak ${version}, which is too old.`, remedy)
}

/** The new server stands in its place at once or not at all. */
async function replaceServer(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  await fill(draft)
  await rm(join(draft, 'data'), { recursive: true, force: true })
  await mkdir(join(draft, 'data'))
  const database = join(folder, 'data', 'h2')
  if (existsSync(database)) await cp(database, join(draft, 'data', 'h2'), { recursive: true })
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
}

async function unzip(archive: string, target: string, version: string): Promise<void> {
  const parent = `${target}.unzipped`
  await rm(parent, { recursive: true, force: true })
  const run = promisify(execFile)
  await run('unzip', ['-q', archive, '-d', parent]).catch(() =>
    run('python3', ['-m', 'zipfile', '-e', archive, parent]),
  )
  await rename(join(parent, `keycloak-${version}`), target)
  await rm(parent, { recursive: true })
  await chmod(join(target, 'bin', 'kc.sh'), 0o755)
}

/** Files are named as Keycloak's import wants them; a realm that exists already is left alone by it. */
async function copyRealms(folder: string): Promise<void> {
  await mkdir(join(folder, 'data', 'import'), { recursive: true })
  for (const realm of realms)
    await cp(join(realmFolder, `realm-${realm}.json`), join(folder, 'data', 'import', `${realm}-realm.json`))
  await cp(passwordListFolder, join(folder, 'data', 'password-blacklists'), { recursive: true })
  await rm(join(folder, 'themes', 'parley'), { recursive: true, force: true })
  await cp(join(realmFolder, 'themes', 'parley'), join(folder, 'themes', 'parley'), { recursive: true })
}
