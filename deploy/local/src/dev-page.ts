import { join } from 'node:path'
import { createServer } from 'vite'
import { repoRoot } from './paths.ts'

/** Serves the page with hot reload on `port`; calls are forwarded to the BFF, so that both have one address and one session cookie. */
export async function startPage({ port, bffUrl }: { readonly port: number; readonly bffUrl: string }) {
  const paths = ['/api', '/auth', '/v1', '/readyz', '/healthz']
  const proxy = Object.fromEntries(paths.map((path) => [path, bffUrl]))
  const server = { host: '127.0.0.1', port, strictPort: true, proxy }
  const page = await createServer({ root: join(repoRoot, 'frontend'), logLevel: 'warn', clearScreen: false, server })
  return page.listen()
}
