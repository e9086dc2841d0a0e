import { createServer } from 'node:http'

/** Takes webhooks after some milliseconds, or never, and says how late each came: the events carry the time of their record. */
const answersAfterMs = 5
const delays = new Map<string, number[]>()
let first = 0
let last = 0

createServer((request, response) => {
  const path = request.url ?? ''
  if (path.startsWith('/figures')) {
    const name = path.slice('/figures/'.length)
    response.end(JSON.stringify({ delays: delays.get(`/${name}`) ?? [], seconds: (last - first) / 1000 }))
    return
  }
  if (path.startsWith('/reset')) {
    delays.clear()
    first = 0
    response.end()
    return
  }
  if (request.method === 'GET') {
    response.end()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (path.startsWith('/dead')) return
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString())
    const now = Date.now()
    first ||= now
    last = now
    delays.set(path, [...(delays.get(path) ?? []), now - Date.parse(timestamp)])
    setTimeout(() => response.end(), answersAfterMs)
  })
}).listen(Number(process.env['PORT']), '127.0.0.1')
