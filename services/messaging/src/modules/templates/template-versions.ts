import type { TemplateVersion } from '@parley/contracts/templates/template-versions'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { contentKey, contentVersionOf } from './content-key.ts'
import type { TemplateVersionRecord } from './template-versions.model.ts'
import { createTemplateVersionsRepository } from './template-versions.repository.ts'
import type { TemplateRecord } from './templates.model.ts'
import type { FieldChange } from './templates.repository.ts'
import { isUnsent } from './unsent.ts'

type Session = Pick<Tx, 'session'>
type Author = WorkspaceScope & { readonly userId?: string | undefined }

export type TemplateVersions = ReturnType<typeof createTemplateVersions>

/** Stores every text of a template that was sent for review: texts are added; only the last one, never accepted, may be removed. */
export function createTemplateVersions(connection: ServiceConnection) {
  const versions = createTemplateVersionsRepository(connection)
  const latestOf = async (scope: WorkspaceScope, templateId: string, tx: Session) =>
    (await versions.list(scope, templateId, { ...tx, limit: 1 }))[0]

  /** The number that a new text of a template gets. What one says that was written elsewhere, or long ago, is its first version. */
  async function next(scope: WorkspaceScope, before: TemplateRecord, tx: Session): Promise<number> {
    // An earlier text that has not reached WhatsApp is no version.
    if (isUnsent(before)) await dropLatest(scope, before.id, tx)
    const latest = await latestOf(scope, before.id, tx)
    if (!latest && isUnsent(before)) return 1
    if (latest) return latest.number + 1
    await addFirst(scope, before, tx)
    return 2
  }

  function addFirst(scope: WorkspaceScope, before: TemplateRecord, tx: Session) {
    const { createdAt: submittedAt, rejectionReason: reason } = before
    const outcome = outcomeOf(before.status) ?? 'approved'
    const first = { templateId: before.id, number: 1, content: contentOf(before), submittedAt, outcome }
    return versions.add(scope, { ...first, ...(reason && { reason }) }, tx)
  }

  /** Adds the text that is being submitted for review. */
  async function add(author: Author, template: TemplateRecord, tx: Session): Promise<void> {
    const { id: templateId, submittedAt = new Date() } = template
    const { userId: submittedBy } = author
    const number = contentVersionOf(template)
    await versions.add(
      author,
      {
        templateId,
        number,
        content: contentOf(template),
        submittedAt,
        outcome: 'pending' as const,
        ...(submittedBy !== undefined && { submittedBy }),
      },
      tx,
    )
  }

  /**
   * Finds the version of a text that WhatsApp has in place of ours: it was written there, or ours was not accepted and is no
   * version.
   * @returns its number: an earlier one where that said the same; and `keep`, to be called once the template says it.
   */
  async function found(scope: WorkspaceScope, before: TemplateRecord, { $set, $unset }: FieldChange, tx: Session) {
    const gone = new Set(Object.keys($unset ?? {}))
    const after: TemplateRecord = {
      ...(Object.fromEntries(Object.entries(before).filter(([name]) => !gone.has(name))) as typeof before),
      ...$set,
    }
    const [latest, earlier] = await versions.list(scope, before.id, { ...tx, limit: 2 })
    const isUntaken = (before.submittedAt !== undefined || isUnsent(before)) && latest?.outcome === 'pending'
    const last = isUntaken ? earlier : latest
    const drop = async () => {
      if (isUntaken) await versions.remove(scope, latest.id, tx)
    }
    if (last && contentKey(last.content) === contentKey(after)) return { number: last.number, keep: drop }
    const isFirst = !last && !isUntaken && !isUnsent(before)
    const number = isFirst ? 2 : (last?.number ?? 0) + 1
    const keep = async () => {
      await drop()
      if (isFirst) await addFirst(scope, before, tx)
      const outcome = outcomeOf(after.status) ?? ('pending' as const)
      const version = { templateId: before.id, number, content: contentOf(after), submittedAt: new Date(), outcome }
      await versions.add(scope, version, tx)
    }
    return { number, keep }
  }

  /** Removes the latest text, which WhatsApp has refused. */
  async function dropLatest(scope: WorkspaceScope, templateId: string, tx: Session): Promise<void> {
    const latest = await latestOf(scope, templateId, tx)
    if (latest?.outcome === 'pending') await versions.remove(scope, latest.id, tx)
  }

  /** Keeps WhatsApp's verdict, if the status is one. */
  async function decide(scope: WorkspaceScope, template: TemplateRecord, tx: Session): Promise<void> {
    const outcome = outcomeOf(template.status)
    if (outcome === undefined) return
    const { rejectionReason: reason } = template
    const verdict = { outcome, decidedAt: new Date(), ...(outcome === 'rejected' && reason && { reason }) }
    await versions.decide(scope, template.id, verdict, tx)
  }

  async function list(scope: WorkspaceScope, templateId: string): Promise<TemplateVersion[]> {
    return (await versions.list(scope, templateId)).map(toVersion)
  }

  /** @throws `not_found`. */
  async function read(scope: WorkspaceScope, templateId: string, number: number): Promise<TemplateContent> {
    const version = await versions.read(scope, templateId, number)
    if (!version) throw errors.notFound('The template has no such version.')
    return version.content
  }

  return { read, next, add, found, dropLatest, decide, list }
}

/** A paused one was approved. */
function outcomeOf(status: TemplateRecord['status']): Exclude<TemplateVersion['outcome'], 'pending'> | undefined {
  if (status === 'approved' || status === 'paused') return 'approved'
  return status === 'rejected' || status === 'disabled' ? status : undefined
}

/** Picks the member-written content of a template. */
export const contentOf = ({
  name,
  language,
  category,
  header,
  body,
  footer,
  buttons,
  examples,
  ...more
}: TemplateRecord) => ({
  name,
  language,
  category,
  body,
  examples,
  buttons: [...buttons],
  ...(more.headerMedia && { headerMedia: more.headerMedia }),
  ...(more.offer && { offer: more.offer }),
  ...(more.cards && { cards: more.cards }),
  ...(more.authentication && { authentication: more.authentication }),
  ...(header && { header }),
  ...(footer && { footer }),
})

const toVersion = ({ number, content, outcome, reason, ...version }: TemplateVersionRecord): TemplateVersion => ({
  number,
  content: content as TemplateContent,
  outcome,
  ...(version.submittedBy && { submittedBy: version.submittedBy }),
  submittedAt: version.submittedAt.toISOString(),
  ...(reason && { reason }),
  ...(version.decidedAt && { decidedAt: version.decidedAt.toISOString() }),
})
