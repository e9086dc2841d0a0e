import { createReadStream } from 'node:fs'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { auditRowSchema } from '@parley/contracts/account/audit'
import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { Logger } from '@parley/service-kit/core/logger'
import { runCommand } from '@parley/service-kit/core/run-process'
import type { StoredAuditEntry } from '@parley/service-kit/data/audit-log'
import { connectMongo } from '@parley/service-kit/data/mongo'
import { z } from 'zod'
import { auditConfigShape, configSchema } from './config.ts'
import { storedId } from './modules/audit/audit.model.ts'
import { createAuditRepository } from './modules/audit/audit.repository.ts'
import { verifyChain } from './modules/audit/verify-chain.ts'
import { verifyWorkspace } from './modules/audit/verify-workspace.ts'

const exportedSchema = auditRowSchema.extend({
  workspaceId: z.string(),
  seq: z.number(),
  hash: z.string(),
  keyId: z.string(),
})

/** Beginning of the line that says where an exported chain begins. */
const checkpointLine = /^{"checkpoint":/
const startSchema = z.object({
  checkpoint: z.object({ seq: z.number(), hash: z.string(), keyId: z.string(), mac: z.string() }),
  workspaceId: z.string(),
})

/**
 * Verifies audit logs: of all workspaces, with `--workspace <id>` of one, with `--file export.ndjson` an exported one. It names each entry
 * that was changed, removed, added or moved, and ends with an error where there is one. `--anchor seq:hash`, as an earlier export or the
 * worker's log has it, must be part of the chain.
 */
await runCommand({
  name: 'audit-verify',
  schema: configSchema
    .pick({ NODE_ENV: true, LOG_LEVEL: true, MONGODB_URL: true })
    .partial({ MONGODB_URL: true })
    .extend(auditConfigShape),
  work: async (config, logger) => {
    const { values } = parseArgs({
      options: { workspace: { type: 'string' }, file: { type: 'string' }, anchor: { type: 'string' } },
    })
    const anchor = readAnchor(values.anchor)
    const faults =
      values.file === undefined
        ? await verifyDatabase(config, { workspace: values.workspace, anchor }, logger)
        : await report(
            logger,
            { file: values.file },
            verifyChain(config.AUDIT_KEYS, readExport(values.file), { anchor, start: await readStart(values.file) }),
          )
    if (faults > 0) throw new Error(`${faults} faults in the audit log`)
  },
})

interface Wanted {
  readonly workspace: string | undefined
  readonly anchor: { seq: number; hash: string } | undefined
}

async function verifyDatabase(
  { MONGODB_URL, AUDIT_KEYS }: { MONGODB_URL?: string | undefined; AUDIT_KEYS: readonly NamedKey[] },
  { workspace, anchor }: Wanted,
  logger: Logger,
): Promise<number> {
  if (MONGODB_URL === undefined) throw new Error('MONGODB_URL is needed to verify a database')
  const mongo = await connectMongo(MONGODB_URL, { name: 'audit-verify', logger })
  const records = createAuditRepository(mongo)
  const threads = { url: MONGODB_URL, count: availableParallelism() }
  let faults = 0
  try {
    const workspaceIds = workspace === undefined ? await records.workspaceIds() : [workspace]
    for (const workspaceId of workspaceIds) {
      const checked = verifyWorkspace({ ring: AUDIT_KEYS, records, workspaceId, anchor, threads })
      faults += await report(logger, { workspaceId }, checked)
    }
  } finally {
    await mongo.close()
  }
  return faults
}

async function report(logger: Logger, of: object, checking: ReturnType<typeof verifyChain>): Promise<number> {
  const { faults, ...chain } = await checking
  for (const fault of faults) logger.error({ ...of, ...fault }, 'the audit log was altered')
  logger.info({ ...of, ...chain, faults: faults.length }, 'verified')
  return faults.length
}

async function readStart(file: string): Promise<z.infer<typeof startSchema> | undefined> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    return checkpointLine.test(line) ? startSchema.parse(JSON.parse(line)) : undefined
  return undefined
}

async function* readExport(file: string): AsyncGenerator<StoredAuditEntry> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '' || checkpointLine.test(line)) continue
    const { id, at, workspaceId, ...entry } = exportedSchema.parse(JSON.parse(line))
    yield { ...entry, _id: storedId(id), workspaceId: storedId(workspaceId), at: new Date(at) }
  }
}

function readAnchor(text: string | undefined): { seq: number; hash: string } | undefined {
  if (text === undefined) return undefined
  const [, seq, hash] = /^(\d+):([\w-]+)$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) throw new Error('--anchor is seq:hash')
  return { seq: Number(seq), hash }
}
