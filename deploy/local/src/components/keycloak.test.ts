import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { repoRoot } from '../paths.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { rememberImport, wantsKeycloak } from './keycloak.ts'
import { readyKeycloakHome } from './keycloak-home.ts'

const realmFile = (name: string) => readFileSync(join(repoRoot, 'deploy/keycloak', `realm-${name}.json`), 'utf8')

/** The folder of an unpacked Keycloak, as far as the launcher looks at it. */
function distribution(version: string): string {
  const folder = temporaryFolder()
  for (const name of ['bin', 'themes', 'data/import']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'version.txt'), `Keycloak - Version ${version}\n`)
  writeFileSync(join(folder, 'data/import/left-over.json'), '{}')
  return folder
}

function setUp(home: string) {
  const notes: string[] = []
  const context = {
    environment: { KEYCLOAK_HOME: home },
    toolsDir: temporaryFolder(),
    note: (line: string) => notes.push(line),
  }
  return { notes, context, dataDir: temporaryFolder() }
}

test('only real asks for the real server, and another word is refused', () => {
  expect([wantsKeycloak({}), wantsKeycloak({ KEYCLOAK: '' }), wantsKeycloak({ KEYCLOAK: 'real' })]).toEqual([
    false,
    false,
    true,
  ])
  expect(() => wantsKeycloak({ KEYCLOAK: 'yes' })).toThrow('KEYCLOAK is set to yes.')
})

test('the server is a copy of KEYCLOAK_HOME with our realms and theme, and nothing of its data', async () => {
  const { context, dataDir } = setUp(distribution('26.8.1'))
  const home = await readyKeycloakHome(dataDir, context)
  expect(home).toEqual({ folder: join(dataDir, 'server'), version: '26.8.1' })
  expect(readdirSync(join(home.folder, 'data/import')).toSorted()).toEqual([
    'google-offline-realm.json',
    'parley-realm.json',
  ])
  expect(existsSync(join(home.folder, 'themes/parley/login/theme.properties'))).toBe(true)
  expect(existsSync(join(context.environment.KEYCLOAK_HOME, 'themes/parley'))).toBe(false)
})

test('a second start unpacks nothing, another version keeps the database', async () => {
  const { context, dataDir, notes } = setUp(distribution('26.7.5'))
  const { folder } = await readyKeycloakHome(dataDir, context)
  mkdirSync(join(folder, 'data/h2'))
  writeFileSync(join(folder, 'data/h2/keycloakdb.mv.db'), 'accounts')
  writeFileSync(join(folder, '.built'), '')
  await readyKeycloakHome(dataDir, context)
  expect(notes).toHaveLength(1)
  await readyKeycloakHome(dataDir, { ...context, environment: { KEYCLOAK_HOME: distribution('26.8.1') } })
  expect(readFileSync(join(folder, 'data/h2/keycloakdb.mv.db'), 'utf8')).toBe('accounts')
  // The new server has yet to be built.
  expect(existsSync(join(folder, '.built'))).toBe(false)
})

test('a folder that is no Keycloak, or an old one, is a sentence with a way out', async () => {
  const none = setUp(temporaryFolder())
  await expect(readyKeycloakHome(none.dataDir, none.context)).rejects.toThrow(/is not the folder of a Keycloak\. Set/)
  const old = setUp(distribution('25.0.6'))
  await expect(readyKeycloakHome(old.dataDir, old.context)).rejects.toThrow(/is Keycloak 25\.0\.6, which is too old/)
})

test('a realm that was imported for another address is refused', () => {
  const folder = temporaryFolder()
  const made = { PUBLIC_ORIGIN: 'http://localhost:3000', SMTP_HOST: '127.0.0.1', SMTP_PORT: '2525' }
  rememberImport(folder, made)
  rememberImport(folder, made)
  expect(() => rememberImport(folder, { ...made, PUBLIC_ORIGIN: 'http://localhost:3001' })).toThrow(
    "Keycloak's realm was made for PUBLIC_ORIGIN http://localhost:3000 and would now get http://localhost:3001.",
  )
})

test('no secret of a realm has a default, and none stands in the files', () => {
  for (const name of ['parley', 'google-offline']) {
    const text = realmFile(name)
    expect(text.match(/\$\{[A-Z_]+:/g)).toBeNull()
    const secrets = [...text.matchAll(/"(?:secret|clientSecret)": "([^"]+)"/g)].map(([, secret]) => secret)
    expect(secrets.length).toBeGreaterThan(0)
    for (const secret of secrets) expect(secret).toMatch(/^\$\{[A-Z_]+_SECRET\}$/)
  }
})

test('clients of people have no scope beyond those of a sign-in, so no session outlives its sign-out', () => {
  const { clients } = z
    .object({
      clients: z.array(z.looseObject({ clientId: z.string(), optionalClientScopes: z.array(z.string()).optional() })),
    })
    .parse(JSON.parse(realmFile('parley')))
  for (const name of ['bff-web', 'bff-password'])
    expect(clients.find(({ clientId }) => clientId === name)?.optionalClientScopes).toEqual([])
})

test('the realm keeps what the sign-in design rests on', () => {
  const realm = z.looseObject({}).parse(JSON.parse(realmFile('parley')))
  expect(realm).toMatchObject({
    verifyEmail: false,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Keycloak's own placeholder.
    passwordPolicy: 'length(${PASSWORD_MIN_LENGTH}) and maxLength(128) and passwordBlacklist(parley-common.txt)',
    revokeRefreshToken: false,
    bruteForceProtected: true,
    failureFactor: 100,
    quickLoginCheckMilliSeconds: 0,
    accessTokenLifespan: 300,
  })
  const text = JSON.stringify(realm)
  // An address alone must never open an existing account.
  expect(text).not.toContain('idp-auto-link')
  expect(text).not.toContain('auth-cookie')
  expect(text).toContain('"clientId":"admin-cli","enabled":false')
})
