import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { composeWith, handed, inspect, secretsOfStack, until } from './stack.ts'

const project = 'parley-ci-redis'
const compose = composeWith({ VALKEY_IMAGE: handed.REDIS_IMAGE }, project)
afterAll(() => compose('down', '--volumes'))

/** Sends commands, a line each. @returns the answers, a line each. */
function ask(host: string, commands: readonly string[], answers: number): Promise<string[]> {
  const socket = connect(6379, host)
  let received = ''
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      received += chunk
      const lines = received.split('\r\n').slice(0, -1)
      if (lines.length < answers) return
      socket.destroy()
      resolve(lines)
    })
    socket.write(commands.map((command) => `${command}\r\n`).join(''))
  })
}

test('Redis does in the place of Valkey: by itself after a crash, with what it acknowledged', async () => {
  await compose('up', '--detach', '--no-build', 'valkey')
  const server = () => inspect('valkey', project)
  const healthy = () => until('Redis healthy', async () => (await server()).State.Health?.Status === 'healthy')
  const address = async () => Object.values((await server()).NetworkSettings.Networks)[0]?.IPAddress ?? ''
  await healthy()
  const { State, RestartCount } = await server()
  expect(readFileSync(`/proc/${State.Pid}/cmdline`, 'utf8')).toContain('redis-server')
  expect(await ask(await address(), ['KEYS *'], 1)).toEqual([expect.stringMatching(/^-(NOPERM|NOAUTH)/)])

  const signIn = `AUTH bff ${(await secretsOfStack(project))['bffValkey']}`
  const stored = await ask(await address(), [signIn, 'MULTI', 'SET one 1', 'EXEC', 'SET two 2'], 6)
  expect(stored).toEqual(['+OK', '+OK', '+QUEUED', '*1', '+OK', '+OK'])
  // Its log is written to disk once a second; the crash of a process leaves what the system already has.
  process.kill(State.Pid, 'SIGKILL')
  await until('Redis restarted', async () => (await server()).RestartCount > RestartCount)
  await healthy()
  expect(await ask(await address(), [signIn, 'GET one', 'GET two'], 5)).toEqual(['+OK', '$1', '1', '$1', '2'])
})
