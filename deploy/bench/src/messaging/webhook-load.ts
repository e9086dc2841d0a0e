import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { z } from 'zod'
import { type Figures, figuresOf } from '../auth/load.ts'
import type { SignedWebhook } from './webhooks.ts'

export const webhookLoadSchema = z.object({
  url: z.string(),
  /** JSON array of signed webhooks. */
  file: z.string(),
  connections: z.number(),
  /** Absent: until each webhook was posted once. */
  seconds: z.number().optional(),
})
type WebhookLoad = z.infer<typeof webhookLoadSchema>

const run = promisify(execFile)
const loader = new URL('webhook-load.process.ts', import.meta.url).pathname

/** Posts webhooks over kept connections. @throws where any of them was not taken. */
export async function postWebhooks(webhooks: readonly SignedWebhook[], load: WebhookLoad): Promise<Figures> {
  writeFileSync(load.file, JSON.stringify(webhooks))
  const { stdout } = await run(process.execPath, [loader, JSON.stringify(load)], { maxBuffer: 16 * 1024 * 1024 })
  return figuresOf(load.url, JSON.parse(stdout))
}
