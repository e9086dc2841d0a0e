import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { podsOf, render } from './render.ts'

type Answers = Readonly<Record<string, { readonly status: number; readonly text: string }>>

const healthy: Answers = {
  '/readyz': { status: 200, text: '{"status":"ready"}' },
  '/': { status: 200, text: '<div id="root"></div>' },
  '/api/auth/user': { status: 401, text: '{"code":"unauthenticated"}' },
  '/internal/jwks.json': { status: 200, text: '<div id="root"></div>' },
}

/** Runs what `helm test` would run, against a server that answers like this. */
async function helmTest(answers: Answers): Promise<{ code: unknown; output: string }> {
  const pod = podsOf(render('minimal')).find(({ name }) => name.endsWith('-test'))?.pod
  const [program = '', ...args] = z.array(z.string()).parse(pod?.containers[0]?.['command'])
  const server = createServer((request, response) => {
    const { status, text } = answers[request.url ?? ''] ?? { status: 404, text: '' }
    response.writeHead(status).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  try {
    const child = spawn(program, args, { env: { ...process.env, APP: `http://127.0.0.1:${port}` } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    const [code] = await once(child, 'close')
    return { code, output }
  } finally {
    server.close()
  }
}

test('helm test is content with an app that is ready', async () => {
  expect(await helmTest(healthy)).toEqual({ code: 0, output: '' })
})

test.each([
  ['/readyz', { status: 503, text: 'redis is away' }, 'redis is away'],
  ['/', { status: 200, text: 'another page' }, '/ is not the page'],
  ['/api/auth/user', { status: 200, text: '{}' }, 'without a session: 200'],
  ['/internal/jwks.json', { status: 200, text: '{"keys":[]}' }, 'the public port has the internal keys'],
])('helm test fails over %s', async (path, answer, reason) => {
  const { code, output } = await helmTest({ ...healthy, [path]: answer })
  expect(code).toBe(1)
  expect(output).toContain(reason)
})
