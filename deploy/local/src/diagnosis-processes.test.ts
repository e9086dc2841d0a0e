import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describeProcess, processNames } from '@parley/processes/processes'
import { expect, onTestFinished, test } from 'vitest'
import { checkProcesses } from './diagnosis-processes.ts'
import { portOf } from './ports.ts'

async function answering(status: number, parts: object): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: status === 200 ? 'ready' : 'unready', parts }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('each process is asked whether it is ready, and one that is not names what it lacks', async () => {
  const ready = await answering(200, { redis: { ok: true } })
  const ports = Object.fromEntries(processNames.map((name) => [portOf(name, 'http'), ready]))
  expect(await checkProcesses(ports, '/logs')).toEqual([
    { verdict: 'ok', subject: 'Processes', finding: `all ${processNames.length} are ready` },
  ])
  const profile = await answering(503, { mongodb: 'failed', redis: 'ok' })
  expect(await checkProcesses({ ...ports, profile, simulator: 1 }, '/logs')).toEqual([
    {
      verdict: 'problem',
      subject: describeProcess('profile').label,
      finding: 'is not ready: mongodb',
      remedy: 'Its log in /logs says why.',
    },
    expect.objectContaining({
      subject: describeProcess('simulator').label,
      finding: 'does not answer at 127.0.0.1:1',
    }),
  ])
})
