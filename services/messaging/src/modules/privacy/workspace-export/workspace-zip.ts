import { PassThrough, pipeline, Readable } from 'node:stream'
import { automationExportFiles, profileExportFiles } from '@parley/contracts/account/workspace-export'
import { exportedRecords, jsonLines } from '@parley/service-kit/data/export-workspace'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { ZipFile } from 'yazl'
import type { OpenRecords } from '../../../platform/ask-profile.ts'
import { inPieces } from '../../contacts/jobs/in-pieces.ts'
import { exportedFiles } from './exported-collections.ts'
import { withoutErased } from './without-erased.ts'

/** A file of the archive: lines of JSON, opened when its turn comes. */
interface Part {
  readonly name: string
  readonly lines: () => AsyncIterable<string>
}

/**
 * Writes an export as a ZIP file of NDJSON, one file after the other while it is read, whatever its size.
 * @param options.onRecords is told how many more records were written; what it throws ends the file.
 * @returns a stream that fails where a source breaks off: half an export is none.
 */
export function workspaceZip(
  scope: WorkspaceScope,
  {
    mongo,
    openRecords,
    contacts,
    onRecords,
    startedAt,
  }: {
    readonly mongo: ServiceConnection
    readonly openRecords: OpenRecords
    readonly contacts: Parameters<typeof withoutErased>[0]
    readonly onRecords: (count: number) => Promise<void>
    readonly startedAt: Date
  },
): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  pipeline(zip.outputStream, output, () => undefined)
  const counts: { name: string; records: number }[] = []
  let reading: Readable | undefined
  // A file that is given up lets go of its source: a cursor, or the answer of another service.
  output.once('close', () => reading?.destroy())
  const addLazily = (name: string, open: () => Readable) =>
    zip.addReadStreamLazy(name, {}, (done) => {
      const content = open()
      content.on('error', (error) => output.destroy(error))
      if (output.destroyed) content.destroy()
      reading = content
      done(null, content)
    })

  async function* counted({ name, lines }: Part): AsyncGenerator<string> {
    let records = 0
    let untold = 0
    for await (const line of lines()) {
      yield line
      records += 1
      untold += 1
      if (untold < toldEvery) continue
      await onRecords(untold)
      untold = 0
    }
    await onRecords(untold)
    counts.push({ name, records })
  }

  async function* own(file: string): AsyncGenerator<string> {
    for (const collection of exportedFiles[file] ?? []) yield* jsonLines(exportedRecords(mongo, scope, collection))
  }
  const elsewhere = (file: Parameters<OpenRecords>[1]) =>
    async function* (): AsyncGenerator<string> {
      yield* withoutErased(contacts)(scope, linesOf(await openRecords(scope, file)))
    }

  const parts: Part[] = [
    ...Object.keys(exportedFiles).map((name) => ({ name, lines: () => own(name) })),
    ...[...automationExportFiles, ...profileExportFiles].map((name) => ({ name, lines: elsewhere(name) })),
  ]
  zip.addBuffer(Buffer.from(readme(startedAt)), 'README.txt')
  for (const part of parts)
    addLazily(`${part.name}.ndjson`, () => Readable.from(inPieces(counted(part)), { objectMode: false }))
  addLazily('manifest.json', () => {
    const files = counts.map(({ name, records }) => ({ file: `${name}.ndjson`, records }))
    const { workspaceId } = scope
    const manifest = { format: 1, workspaceId, startedAt, finishedAt: new Date(), files }
    return Readable.from([Buffer.from(JSON.stringify(manifest, null, 2))], { objectMode: false })
  })
  zip.end()
  return output
}

const toldEvery = 1000

/** Splits a stream at its line ends; characters of several bytes may be cut by its pieces. */
async function* linesOf(content: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of content.setEncoding('utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield `${line}\n`
  }
  if (rest !== '') yield `${rest}\n`
}

const readme = (startedAt: Date): string => `Export of a Parley workspace, begun ${startedAt.toISOString()}

Each .ndjson file has one record a line, as JSON in UTF-8. Times are UTC (ISO 8601). Records name each other by id:
contactId in messages.ndjson is the id of a line in contacts.ndjson, and so on. People are named by their user id; names
and roles are in members.ndjson. manifest.json, which is written last, counts the records of each file.

- contacts, consent, tags, segments, views, contact-fields, imports: your customers. "live": false was deleted and can be restored.
- conversations, messages, saved-replies, macros, ratings, response-times, closures: your inbox. Of deleted messages the text is
  left out.
- media: files of messages by id, type, size and SHA-256. The files themselves are not in here: export a conversation as a page
  to have them.
- templates, template-versions, campaigns, campaign-results, campaign-recipients, campaign-history, link-visits, approvals.
- bots, workflows, flow-versions, flow-contents, flow-tests, flow-schedules, flow-settings, flow-runs, incoming-webhooks,
  incoming-calls, connections. Drafts have the version number 0.
- numbers, webhooks, charges, rate-cards, settings: how the workspace is set up, and what WhatsApp charged for.
- workspace, members, invitations, api-keys, audit-log: who works in it, and what was done. audit-log.ndjson has the chain of
  the entries, as Settings > Audit Log > Export with proof writes it.

Passwords, access tokens, API keys, app secrets, secrets of webhooks and connections, and the paths of their addresses are
not in here. Records that changed while this file was written may be in their state before or after the change.
`
