import { join } from 'node:path'
import type { Component, StackContext } from '../component.ts'
import { backingUrl } from '../environment.ts'
import { ensureFolder } from '../files.ts'
import { acceptsConnections, respondsOk } from './health.ts'
import { nodeEnvironment, nodeProgram } from './node-program.ts'
import { remoteComponent } from './remote.ts'

/** A mail catcher with a web page, or the server that SMTP_URL names. */
export function mailComponent(context: StackContext): Component {
  const base = { name: 'mail', label: 'Mail', needs: [] } as const
  const url = backingUrl(context.environment, 'SMTP_URL')
  if (url) return remoteComponent(base, { variable: 'SMTP_URL', url, isHealthy: isSmtpHealthy })
  const dataDir = join(context.paths.data, 'mail')
  const smtp = context.ports.smtp
  const env = { ...nodeEnvironment(context, 'mailPage'), SMTP_PORT: String(smtp), DATA_DIR: dataDir }
  const address = mailPageUrl(context)
  return {
    ...base,
    kind: 'stand-in',
    address,
    dataAt: dataDir,
    env,
    choice: { source: 'local', what: 'the mail catcher' },
    local: nodeProgram({
      script: 'deploy/local/src/mail/server.ts',
      env,
      ports: ['mailPage', 'smtp'],
      isHealthy: async () => (await respondsOk(`${address}/healthz`)) && acceptsConnections(smtp),
      before: () => ensureFolder(dataDir),
    }),
  }
}

/** Returns the address at which the provider hands in its mail. */
export const smtpUrl = (context: Pick<StackContext, 'environment' | 'ports'>): string =>
  backingUrl(context.environment, 'SMTP_URL') ?? `smtp://127.0.0.1:${context.ports.smtp}`

/** The catcher's page. On 127.0.0.1, another site than the app's localhost, as a real mail program would be. */
export const mailPageUrl = (context: Pick<StackContext, 'ports'>): string =>
  `http://127.0.0.1:${context.ports.mailPage}`

/** True if a mail server accepts connections there. */
export async function isSmtpHealthy(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return false
  const { hostname, port } = new URL(url)
  return acceptsConnections(Number(port || 25), hostname)
}
