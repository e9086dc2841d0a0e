import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Simulator } from '../simulator.ts'

const folder = join(import.meta.dirname, 'client')
const heartbeatMs = 15_000

/** The page's one library, as it was installed. */
const library = dirname(fileURLToPath(import.meta.resolve('lit-html')))

/** The module by which recordings become voice notes; the inbox has it too. */
const ogg = fileURLToPath(import.meta.resolve('@parley/ogg'))

/** The page of phones: its TypeScript is served without the types, its library as it was installed. */
export function servePage(app: FastifyInstance, { page }: Simulator): void {
  const modules = new Map<string, string>()

  app.get('/', async (_request, reply) =>
    reply
      .type('text/html')
      .header(
        'content-security-policy',
        "default-src 'self'; img-src 'self' data: blob: https:; media-src 'self' blob: https:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
      )
      .send(readFileSync(join(folder, 'index.html'), 'utf8')),
  )
  app.get<{ Params: { name: string } }>('/page/styles/:name(^[a-z-]+\\.css$)', async (request, reply) =>
    reply.type('text/css').send(readFileSync(join(folder, 'styles', request.params.name), 'utf8')),
  )
  app.get<{ Params: { name: string } }>('/page/:name(^[a-z-]+\\.js$)', async (request, reply) => {
    const name = request.params.name.replace(/js$/, 'ts')
    const known = modules.get(name)
    if (known !== undefined) return reply.type('text/javascript').send(known)
    const source = readFileSync(name === 'ogg.ts' ? ogg : join(folder, name), 'utf8')
    const script = stripTypeScriptTypes(source)
      .replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'")
      .replaceAll(/from '@parley\/ogg'/g, "from './ogg.js'")
      .replaceAll(/from 'lit-html'/g, "from '/lib/lit-html.js'")
      .replaceAll(/from 'lit-html\/([a-z/-]+\.js)'/g, "from '/lib/$1'")
    modules.set(name, script)
    return reply.type('text/javascript').send(script)
  })

  app.get<{ Params: { '*': string } }>('/lib/*', async (request, reply) => {
    const path = request.params['*']
    if (!/^(directives\/)?[a-z-]+\.js$/.test(path)) return reply.code(404).send()
    return reply.type('text/javascript').send(readFileSync(join(library, path)))
  })

  app.get('/sim/stream', (request, reply) => {
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' })
    // The page reads everything once the stream is open; the first event may come much later.
    raw.flushHeaders()
    const unsubscribe = page.subscribe((event) => raw.write(`data: ${JSON.stringify(event)}\n\n`))
    const heartbeat = setInterval(() => raw.write(': \n\n'), heartbeatMs)
    request.raw.on('close', () => {
      clearInterval(heartbeat)
      unsubscribe()
    })
  })
}
