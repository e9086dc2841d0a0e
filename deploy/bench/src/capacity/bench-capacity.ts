import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { repoRoot } from '@parley/local/paths'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { table } from '../auth/statistics.ts'
import { inTurns } from '../in-turns.ts'
import { startNode } from '../program.ts'
import { loadNow } from '../report.ts'
import { emptySite, production, startBenchStack } from '../stack.ts'
import { costOfEach, readMeter, residentMiB } from './costs.ts'
import { callsOf, type Person } from './people.ts'

/**
 * `npm run bench:capacity`: what each operation of the sign-in path costs every process, Redis and MongoDB; the capacity page
 * starts from these metrics. CPU time is compared rather than throughput, which other work on the machine changes.
 * `KEYCLOAK=real` measures a Keycloak in place of the stand-in.
 */
const peopleCount = 150
/** Passwords are hashed for a large part of a second of CPU: more at once would only wait for each other. */
const few = 3
const many = 16
/** Tokens live for 300 s. */
const renewedAfterMs = 215_000
console.log(`load before the run ${loadNow()}`)

const { stack, dataDir, folder } = await startBenchStack({
  components: ['mongodb', 'redis', 'mail', 'identity-provider', 'identity', 'profile'],
  env: { profile: production, identity: production },
  environment: process.env['KEYCLOAK']
    ? { ...process.env, MONGODB_URL: '', REDIS_URL: '', OIDC_ISSUER: '', SMTP_URL: '' }
    : {},
})
const redis = new Redis(stack.urls.redis)
const mongodb = new MongoClient(stack.urls.mongodb)
try {
  const env = { ...stack.env.bff, ...production, STATIC_DIR: emptySite(folder) }
  const bff = await startNode({ name: 'bff', script: 'bff/src/server.ts', env, folder })
  try {
    await measure(bff.pid())
  } finally {
    await bff.stop()
  }
} finally {
  redis.disconnect()
  await mongodb.close()
  await stack.stop()
}

async function measure(bffPid: number): Promise<void> {
  const app = `http://127.0.0.1:${stack.env.bff['PORT']}`
  const calls = callsOf(app)
  const processes = { bff: bffPid, ...childrenOf(dataDir) }
  const people: Person[] = Array.from({ length: peopleCount }, (_, number) => ({
    email: `person-${number}@capacity.parley.test`,
    cookie: '',
    idToken: '',
  }))
  const person = (turn: number): Person => {
    const one = people[turn % people.length]
    if (!one) throw new Error('there is nobody')
    return one
  }
  const idle = memoryOf(processes)
  const operations = [
    { name: 'sign-up', count: peopleCount, atOnce: few, work: (turn: number) => calls.signUp(person(turn)) },
    { name: 'password sign-in', count: peopleCount, atOnce: few, work: (turn: number) => calls.signIn(person(turn)) },
    { name: 'GET user', count: 6000, atOnce: many, work: (turn: number) => calls.user(person(turn)) },
    { name: 'session check', count: 4000, atOnce: many, work: (turn: number) => calls.session(person(turn)) },
    { name: 'profile write', count: 3000, atOnce: many, work: (turn: number) => calls.write(person(turn), turn) },
    { name: 'refresh', count: peopleCount, atOnce: few, work: (turn: number) => calls.refresh(person(turn)) },
    { name: 'sign-out', count: peopleCount, atOnce: few, work: (turn: number) => calls.signOut(person(turn)) },
  ]
  const results = []
  let signedInAt = 0
  for (const { name, count, atOnce, work } of operations) {
    // What the operation before has left to do is not this one's.
    await delay(name === 'refresh' ? Math.max(1000, signedInAt + renewedAfterMs - Date.now()) : 1000)
    const before = await readMeter({ processes, redis, mongodb })
    const perSecond = await inTurns({ count, atOnce }, work)
    const after = await readMeter({ processes, redis, mongodb })
    if (name === 'password sign-in') signedInAt = Date.now()
    results.push({ name, count, perSecond: Math.round(perSecond), ...costOfEach(before, after, count) })
  }
  report(results, { idle, loaded: memoryOf(processes) })
}

type Result = { name: string; count: number; perSecond: number } & ReturnType<typeof costOfEach>
type Memory = Record<string, number>

function report(results: readonly Result[], memory: { idle: Memory; loaded: Memory }): void {
  const names = Object.keys(memory.idle)
  const text = (costs: Readonly<Record<string, number>>) =>
    Object.entries(costs)
      .map(([name, calls]) => `${name} ${calls}`)
      .join(', ')
  const cpuRows = results.map(({ name, perSecond, cpuMicroseconds }) => [
    name,
    String(perSecond),
    ...names.map((process) => String(Math.round(cpuMicroseconds[process] ?? 0))),
  ])
  console.log(`\nCPU of each operation in microseconds\n${table([['operation', 'here /s', ...names], ...cpuRows])}`)
  for (const { name, redisCommands, redisBytes, mongodbOperations, journalBytes, mongodbBytes } of results)
    console.log(
      `${name}: Redis ${text(redisCommands)}, ${redisBytes} bytes; MongoDB ${text(mongodbOperations)}, ${mongodbBytes} bytes kept, ${journalBytes} bytes of journal`,
    )
  const memoryRows = names.map((name) => [name, String(memory.idle[name]), String(memory.loaded[name])])
  console.log(`\n${table([['MiB resident', 'idle', 'after the load'], ...memoryRows])}`)
  console.log(`load after the run ${loadNow()}`)
  const provider = process.env['KEYCLOAK'] === 'real' ? 'Keycloak' : 'stand-in'
  const file = join(repoRoot, `.parley/bench-capacity${provider === 'Keycloak' ? '-keycloak' : ''}.json`)
  mkdirSync(join(repoRoot, '.parley'), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ provider, operations: results, memory }, null, 2)}\n`)
}

function memoryOf(processes: Readonly<Record<string, number>>): Memory {
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, residentMiB(pid)]))
}

/** The stack's own list: process id, name and command of each. */
function childrenOf(folder: string): Record<string, number> {
  const lines = readFileSync(join(folder, 'children.tsv'), 'utf8').trim().split('\n')
  const children = lines.map((line) => line.split('\t'))
  return Object.fromEntries(children.flatMap(([pid, name = '']) => (name === 'mail' ? [] : [[name, Number(pid)]])))
}
