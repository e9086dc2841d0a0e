import { binFolder, toolsPath } from '@parley/ci/tools/folders'
import { respondsOk } from '@parley/local/components/health'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startProgram } from '../program.ts'

/** A link to a server that can be slow or gone, by toxiproxy. @param target its origin. */
export async function startSlowLink(target: string, logFile: string) {
  const [apiPort, port] = [await freePort(), await freePort()]
  const api = `http://127.0.0.1:${apiPort}`
  const server = await startProgram({
    file: 'env',
    args: [`PATH=${toolsPath}`, 'toxiproxy-server', '-host', '127.0.0.1', '-port', String(apiPort)],
    env: { PATH: `${binFolder}:${process.env['PATH']}`, LOG_LEVEL: 'error' },
    logFile,
    isHealthy: () => respondsOk(`${api}/version`),
  })
  const link = 'provider'

  async function call(method: string, path: string, body?: unknown): Promise<void> {
    const content = body === undefined ? null : JSON.stringify(body)
    const answer = await fetch(`${api}${path}`, { method, body: content })
    if (!answer.ok) throw new Error(`toxiproxy: ${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  }

  const upstream = new URL(target).host
  await call('POST', '/proxies', { name: link, listen: `127.0.0.1:${port}`, upstream })
  return {
    origin: `http://127.0.0.1:${port}`,
    slow: (latencyMs: number) =>
      call('POST', `/proxies/${link}/toxics`, { name: 'slow', type: 'latency', attributes: { latency: latencyMs } }),
    quick: () => call('DELETE', `/proxies/${link}/toxics/slow`),
    cut: () => call('POST', `/proxies/${link}`, { enabled: false }),
    mend: () => call('POST', `/proxies/${link}`, { enabled: true }),
    stop: server.stop,
  }
}
