import { setTimeout as delay } from 'node:timers/promises'
import { createPerson, type Person, Refusal } from '../calls.ts'
import { addressOf, numberIn, type Outcome, type Step } from './verdict.ts'

/** Number of people who stay signed in and save their profile over and over; two a second, of four others, come and go. */
const writerCount = 12
const visitorCount = 4
const visitEveryMs = 500

/** Makes the accounts, and signs in those who stay. */
export async function createSteadyLoad(app: string) {
  const steps: Step[] = []
  const people = (what: string, length: number) =>
    Array.from({ length }, (_, nth) => createPerson(app, `${what}-${nth}@faults.parley.test`))
  const [writers, visitors] = [people('writer', writerCount), people('visitor', visitorCount)]
  for (const person of [...writers, ...visitors]) await person.signUp()
  for (const person of writers) {
    await person.signIn()
    await person.user()
  }

  /** @param work what it answers is a number that the step is about. @returns whether it went well. */
  async function step({ email }: Person, name: Step['name'], work: () => Promise<unknown>, attempted?: number) {
    const at = Date.now()
    const note = (outcome: Outcome, more: Pick<Step, 'detail' | 'number'> = {}) =>
      steps.push({ at, ms: Date.now() - at, email, name, outcome, ...more })
    try {
      const answer = await work()
      const number = typeof answer === 'number' ? answer : attempted
      note('ok', number === undefined ? {} : { number })
      return true
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      note(outcomeOf(error), { detail, ...(attempted !== undefined && { number: attempted }) })
      return false
    }
  }

  async function stay(person: Person, signal: AbortSignal): Promise<void> {
    for (let number = 1; !signal.aborted; number++) {
      // Starts are staggered: otherwise all tokens would be renewed in the same moment.
      await delay(200 + Math.random() * 200)
      await step(person, 'session check', person.session)
      await step(person, 'user', async () => numberIn(await person.user()))
      steps.push({ at: Date.now(), ms: 0, email: person.email, name: 'write', outcome: 'begun', number })
      await step(person, 'write', () => person.write(addressOf(number)), number)
    }
  }

  async function visit({ email }: Person): Promise<void> {
    const person = createPerson(app, email)
    if (await step(person, 'sign-in', person.signIn)) await step(person, 'sign-out', person.signOut)
  }

  /** Keeps everybody busy until it is disposed of. */
  function start() {
    const stopping = new AbortController()
    const staying = writers.map((person) => stay(person, stopping.signal))
    let turn = 0
    const visits: Promise<void>[] = []
    const visiting = setInterval(() => {
      const visitor = visitors[turn++ % visitorCount]
      if (visitor) visits.push(visit(visitor))
    }, visitEveryMs)
    return {
      [Symbol.asyncDispose]: async () => {
        clearInterval(visiting)
        stopping.abort()
        await Promise.all([...staying, ...visits])
      },
    }
  }

  return { writers: new Set(writers.map(({ email }) => email)), steps, start }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Refusal) return error.status === 401 ? 'signed out' : error.status < 500 ? 'refused' : 'error'
  // No answer came: fetch throws a TypeError, a time limit its own error.
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError') ? 'error' : 'wrong'
}
