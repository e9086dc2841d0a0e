import { createServer } from 'node:net'
import { processNames } from '@parley/processes/processes'
import { beforeAll, describe, expect, test } from 'vitest'
import { tag } from './our-images.ts'
import { createPerson, type Person } from './person.ts'
import {
  appUrl,
  compose,
  containerIds,
  crash,
  docker,
  handed,
  inspect,
  lasting,
  secretsOfStack,
  until,
  untilHealthy,
  up,
} from './stack.ts'

let person: Person
beforeAll(async () => {
  await compose('up', '--detach', '--build')
  await untilHealthy()
  person = await createPerson()
})

const isReady = async () => (await fetch(`${appUrl}/readyz`)).ok
/** Stores an address; resolves once the app has acknowledged it. */
const move = (address: string) =>
  expect.poll(() => person.moveTo(address), { timeout: 60_000, interval: 500 }).toMatchObject({ status: 200 })

/** Expects the person's data to be there: the session, and the address as it was stored last. */
async function expectAddress(address: string): Promise<void> {
  await until('the app ready', isReady)
  await expect.poll(person.user, { timeout: 60_000, interval: 500 }).toMatchObject({ status: 200, body: { address } })
}

test('every container runs without rights, read-only, as an ordinary user and within a limit of memory', async () => {
  for (const service of lasting) {
    const { HostConfig, Config } = await inspect(service)
    expect(HostConfig, service).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false })
    expect(HostConfig.SecurityOpt, service).toContain('no-new-privileges:true')
    expect(HostConfig.Memory, service).toBeGreaterThan(0)
    expect(Config.User, service).toMatch(/^[1-9]/)
    const users = (await docker('top', (await containerIds(service))[0] ?? '', '-eo', 'uid,pid'))
      .trim()
      .split('\n')
      .slice(1)
    expect(
      users.map((line) => line.trim().split(/\s/)[0]),
      service,
    ).not.toContain('0')
  }
})

test('no secret is in docker inspect or in a log, and each process reads its own file alone', async () => {
  const secrets = Object.values(await secretsOfStack())
  expect(secrets.length).toBeGreaterThan(10)
  const ids = await containerIds()
  const shown = `${await docker('inspect', ...ids)}${await compose('logs', '--no-color')}`
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([])
  for (const service of lasting) {
    const mounts = await docker('inspect', '--format', '{{json .Mounts}}', ...(await containerIds(service)))
    const volumes = [...mounts.matchAll(/"Name":"[^"]*_secrets-([a-z-]+)"/g)].map(([, name]) => name)
    expect(volumes, service).toEqual(service === 'mail' ? [] : [service])
  }
})

test('MongoDB and Valkey answer nobody without a password', async () => {
  const [bff = ''] = await containerIds('bff')
  const ask = (code: string) => docker('exec', bff, 'node', '-e', code)
  const keys = `const s=require('node:net').connect(6379,'valkey');s.on('data',d=>{console.log(String(d));s.end()});s.write('KEYS *\\r\\n')`
  expect(await ask(keys)).toMatch(/^-(NOPERM|NOAUTH)/)
  const [profile = ''] = await containerIds('profile')
  const read = `const {MongoClient}=require('mongodb');const c=new MongoClient('mongodb://mongo:27017/?replicaSet=rs0');c.db('parley_profile').collection('users').findOne().catch(e=>console.log(e.codeName)).finally(()=>c.close())`
  expect(await docker('exec', profile, 'node', '-e', read)).toContain('Unauthorized')
})

describe('a crash', () => {
  for (const service of lasting) {
    test(`of ${service} is got over, and nothing that was acknowledged is lost`, async () => {
      const address = `before the crash of ${service}`
      await move(address)
      const startedAt = performance.now()
      await crash(service)
      await untilHealthy([service])
      console.log(`${service} is healthy ${Math.round((performance.now() - startedAt) / 100) / 10} s after SIGKILL`)
      await expectAddress(address)
    })
  }
})

test('a request in flight is answered while the BFF stops, which it does with exit code 0', async () => {
  const [keycloak = ''] = await containerIds('keycloak')
  const [bff = ''] = await containerIds('bff')
  await docker('pause', keycloak)
  let answer: ReturnType<Person['signInAnew']>
  try {
    answer = person.signInAnew()
    answer.catch(() => undefined)
    // The next request is answered after the one before it has been read.
    await fetch(`${appUrl}/healthz`)
    await docker('kill', '--signal', 'TERM', bff)
  } finally {
    await docker('unpause', keycloak)
  }
  expect((await answer).status).toBe(200)
  expect(await docker('wait', bff)).toBe('0\n')
  await docker('start', bff)
  await untilHealthy(['bff'])
})

test('each process of ours is ready soon after its start', async () => {
  for (const service of processNames) {
    await docker('restart', ...(await containerIds(service)))
    const { State, NetworkSettings } = await inspect(service)
    const address = Object.values(NetworkSettings.Networks)[0]?.IPAddress
    await until(`${service} ready`, async () => (await fetch(`http://${address}:3000/readyz`)).ok)
    console.log(
      `${service} is ready ${Math.round((Date.now() - Date.parse(State.StartedAt)) / 100) / 10} s after its start`,
    )
  }
  await untilHealthy()
})

test('down and up keep accounts, profile, session and secrets', async () => {
  const secrets = await secretsOfStack()
  await move('before the night')
  await compose('down')
  expect(await containerIds()).toEqual([])
  await up()
  await expectAddress('before the night')
  expect((await person.signInAnew()).status).toBe(200)
  expect(await secretsOfStack()).toEqual(secrets)
})

describe('bad input', () => {
  const realm = `${process.cwd()}/deploy/keycloak/realm-parley.json:/opt/keycloak/data/import/parley-realm.json:ro`
  const keycloak = (...args: string[]) =>
    docker('run', '--rm', '--network', 'none', ...args, `parley/keycloak:${tag}`, 'start')
  const settings = [
    'KEYCLOAK_URL',
    'PUBLIC_ORIGIN',
    'BACKCHANNEL_URL',
    'SMTP_HOST',
    'SMTP_PORT',
    'SMTP_FROM',
    'SMTP_AUTH',
  ]
  const values = settings.flatMap((name) => ['--env', `${name}=x`])
  const empty = ['SMTP_USER', 'SMTP_PASSWORD'].flatMap((name) => ['--env', `${name}=`])

  test('a placeholder of the realm without a value stops Keycloak, which names it', async () => {
    await expect(keycloak('--volume', realm)).rejects.toThrow('SMTP_HOST is not set, but parley-realm.json needs it')
    const others = ['SMTP_SSL', 'SMTP_STARTTLS'].flatMap((name) => ['--env', `${name}=x`])
    const unset = keycloak('--volume', realm, ...values, ...empty, ...others)
    await expect(unset).rejects.toThrow('BFF_WEB_SECRET is not set, but parley-realm.json needs it')
    const blank = keycloak('--volume', realm, ...values, ...empty, ...others, '--env', 'BFF_WEB_SECRET=')
    await expect(blank).rejects.toThrow('BFF_WEB_SECRET is empty, but parley-realm.json needs it')
  })

  test('a secrets file that is not there stops a process, which names it', async () => {
    const missing = ['--env', 'SECRETS_FILE=/run/secrets/none']
    await expect(keycloak(...missing)).rejects.toThrow('SECRETS_FILE (/run/secrets/none) cannot be read')
    const bff = docker('run', '--rm', `parley/bff:${tag}`, 'node', '--env-file=/run/secrets/none', 'bff/src/server.ts')
    await expect(bff).rejects.toThrow('/run/secrets/none: not found')
  })

  test('a wrong setting stops a process, which names it', async () => {
    const failing = docker('run', '--rm', '--env', 'LOG_LEVEL=loud', `parley/identity:${tag}`)
    await expect(failing).rejects.toThrow(/LOG_LEVEL: .*\n.*INTERNAL_ISSUERS is missing/)
  })

  test('a port that somebody else has is named', async () => {
    await compose('stop', 'bff')
    const other = createServer().listen(Number(handed.APP_PORT), '127.0.0.1')
    try {
      await expect(compose('up', '--detach', '--no-build', 'bff')).rejects.toThrow(
        new RegExp(`127.0.0.1:${handed.APP_PORT}.*(in use|allocated)`),
      )
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
    await up()
  })

  test('ports that changed after the realm was made stop Keycloak, which says what to do', async () => {
    const [id = ''] = await containerIds('keycloak')
    const volume = (await docker('inspect', '--format', '{{range .Mounts}}{{.Name}} {{end}}', id)).match(
      /\S+_keycloak-data/,
    )?.[0]
    await docker('stop', id)
    const moved = ['--volume', `${volume}:/opt/keycloak/data/h2`, '--env', 'PUBLIC_ORIGIN=http://localhost:4000']
    await expect(keycloak(...moved)).rejects.toThrow('Keep the ports, or remove the volumes')
    await docker('start', id)
    await untilHealthy()
    await createPerson()
  })
})
