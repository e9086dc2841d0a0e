import { Readable } from 'node:stream'
import type { AuditEntry, auditApi, auditInternalApi } from '@parley/contracts/account/audit'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { defaultPageSize } from '@parley/contracts/core/records'
import { errors } from '@parley/service-kit/core/errors'
import { type AuditLog, type StoredAuditEntry, toAuditRow } from '@parley/service-kit/data/audit-log'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ActorContext, type ServiceContext, scopeOf, type UserContext } from '@parley/service-kit/http/context'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import type { ProfileService } from '../profile/profile.service.ts'
import type { AuditPlace, AuditRepository } from './audit.repository.ts'

type ListQuery = EndpointInput<typeof auditApi.list>['query']
type FileQuery = EndpointInput<typeof auditApi.download>['query']
type SignIn = EndpointInput<typeof auditInternalApi.noteSignIn>['body']

/** One failed sign-in of an account is noted in so long. */
const failureMs = 15 * 60_000

export function createAuditService({
  records,
  log,
  personOf,
  placesOfEmail,
}: {
  records: AuditRepository
  log: Pick<AuditLog, 'record'>
  personOf: ProfileService['personOf']
  /** Accounts with an address, and the workspace that each is at home in. */
  placesOfEmail: (email: string) => Promise<readonly { userId: string; workspaceId: string }[]>
}) {
  /** Entries, newest first. @throws `validation_failed` for a cursor of something else. */
  async function list(ctx: ActorContext, { limit = defaultPageSize, cursor, ...filter }: ListQuery) {
    const found = await records.list(ctx, filter, { limit: limit + 1, after: readCursor(cursor) })
    const page = found.slice(0, limit)
    const names = new Map<string, string>()
    for (const id of new Set(page.flatMap(({ actor }) => (actor.kind === 'member' ? actor.id : []))))
      if (isId(id)) names.set(id, (await personOf(id)).name)
    const last = page.at(-1)
    return {
      items: page.map((entry) => toEntry(entry, names)),
      nextCursor: last && found.length > limit ? `${last.at.getTime()}.${last._id.toHexString()}` : null,
    }
  }

  /** The chain as a file: what `audit:verify` checks, or a table. */
  function download(ctx: UserContext, { format = 'ndjson', ...filter }: FileQuery): FileAnswer {
    const stamp = new Date().toISOString().slice(0, 10)
    const rows = records.chained(ctx, filter)
    return format === 'csv'
      ? { type: 'text/csv', fileName: `audit-${stamp}.csv`, open: () => Readable.from(csvOf(rows)) }
      : {
          type: 'application/x-ndjson',
          fileName: `audit-${stamp}.ndjson`,
          open: () => Readable.from(linesOf(rows, records.head(ctx))),
        }
  }

  /** The whole chain, as `audit:verify` reads it. */
  const lines = (scope: WorkspaceScope) => linesOf(records.chained(scope), records.head(scope))

  /** @throws `forbidden` for a token that names no workspace. */
  const receive = async (ctx: ServiceContext, rows: Parameters<AuditRepository['insert']>[1]): Promise<void> =>
    records.insert(scopeOf(ctx), rows)

  /** Notes a sign-in, its failure or its end. An address that no account has is noted nowhere. */
  async function noteSignIn({ action, account, requestId, ip, device }: SignIn): Promise<void> {
    const places = 'email' in account ? await placesOfEmail(account.email) : [account]
    const failed = action === 'auth.signInFailed'
    for (const { userId, workspaceId } of places) {
      const once = JSON.stringify([action, workspaceId, userId, Math.floor(Date.now() / failureMs)])
      await log.record({
        workspaceId,
        actor: { kind: 'member', id: userId },
        action,
        targets: [],
        changes: [],
        outcome: failed ? 'failed' : 'done',
        requestId,
        personal: { ...(ip && { ip }), ...(device && { device }) },
        ...(failed && { once }),
      })
    }
  }

  return { list, download, lines, receive, noteSignIn, anchors: records.anchors }
}

function readCursor(cursor: string | undefined): AuditPlace | undefined {
  if (cursor === undefined) return undefined
  const [, time, id] = /^(\d{1,15})\.([0-9a-f]{24})$/.exec(cursor) ?? []
  if (time === undefined || id === undefined)
    throw errors.validation({ cursor: 'This page is of another list. Begin with the first page.' })
  return { at: new Date(Number(time)), id }
}

function toEntry(entry: StoredAuditEntry, names: ReadonlyMap<string, string>): AuditEntry {
  const { personal, personalDigest: _digest, ...row } = toAuditRow(entry)
  const name = names.get(row.actor.id)
  return {
    ...row,
    actor: { ...row.actor, ...(name && { name }) },
    ...(personal?.ip && { ip: personal.ip }),
    ...(personal?.device && { device: personal.device }),
    seq: entry.seq ?? null,
    hash: entry.hash ?? null,
  }
}

type Rows = AsyncIterable<StoredAuditEntry>

/** Every field of an entry: what its hash is made of, and the hash. */
async function* linesOf(rows: Rows, head: ReturnType<AuditRepository['head']>): AsyncGenerator<string> {
  const { _id, from } = (await head) ?? {}
  // A file without entries is a file too.
  yield from ? `${JSON.stringify({ checkpoint: from, workspaceId: _id?.toHexString() })}\n` : ''
  for await (const entry of rows) {
    const { seq, hash, keyId } = entry
    yield `${JSON.stringify({ ...toAuditRow(entry), workspaceId: entry.workspaceId.toHexString(), seq, hash, keyId })}\n`
  }
}

async function* csvOf(rows: Rows): AsyncGenerator<string> {
  yield 'number,time,by,id of person or key,action,outcome,records,fields,address,device\r\n'
  for await (const { seq, at, actor, action, outcome, targets, changes, personal } of rows) {
    const cells = [
      String(seq),
      at.toISOString(),
      actor.kind,
      actor.id,
      action,
      outcome,
      targets.map(({ kind, id }) => `${kind} ${id}`).join('; '),
      changes.map(({ field, to }) => (to === undefined ? field : `${field}: ${JSON.stringify(to)}`)).join('; '),
      personal?.ip ?? '',
      personal?.device ?? '',
    ]
    yield `${cells.map(toCell).join(',')}\r\n`
  }
}

/** A cell that a spreadsheet takes for a formula is text. */
const toCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
