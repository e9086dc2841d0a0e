import type { TemplateVersion } from '@parley/contracts/template-endpoints'
import type { TemplateContent } from '@parley/contracts/templates'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { TemplateVersionRecord } from './template-versions.model.ts'
import type { TemplateVersionsRepository } from './template-versions.repository.ts'
import type { TemplateRecord } from './templates.model.ts'

type Session = Pick<Tx, 'session'>
type Author = WorkspaceScope & { readonly userId?: string | undefined }

export type TemplateVersions = ReturnType<typeof createTemplateVersions>

/** Every text of a template that was sent for review: they are added to, and only the last one, never taken by WhatsApp, goes. */
export function createTemplateVersions(versions: TemplateVersionsRepository) {
  /** @param before what it said until now: of a template that was written elsewhere, or long ago, that is its first version. */
  async function add(author: Author, template: TemplateRecord, tx: Session, before?: TemplateRecord): Promise<void> {
    const [latest] = await versions.list(author, template.id, { ...tx, limit: 1 })
    let number = latest?.number ?? 0
    if (!latest && before) {
      number += 1
      const { createdAt: submittedAt, rejectionReason: reason } = before
      const outcome = outcomeOf(before.status) ?? 'approved'
      const first = { templateId: before.id, number, content: contentOf(before), submittedAt, outcome }
      await versions.add(author, { ...first, ...(reason && { reason }) }, tx)
    }
    const { id: templateId, submittedAt = new Date() } = template
    const { userId: submittedBy } = author
    await versions.add(
      author,
      {
        ...{ templateId, number: number + 1, content: contentOf(template), submittedAt, outcome: 'pending' as const },
        ...(submittedBy !== undefined && { submittedBy }),
      },
      tx,
    )
  }

  /** WhatsApp has refused to take the latest one. */
  async function dropLatest(scope: WorkspaceScope, templateId: string, tx: Session): Promise<void> {
    const [latest] = await versions.list(scope, templateId, { ...tx, limit: 1 })
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

  return { add, dropLatest, decide, list }
}

/** A paused one was approved. */
function outcomeOf(status: TemplateRecord['status']): Exclude<TemplateVersion['outcome'], 'pending'> | undefined {
  if (status === 'approved' || status === 'paused') return 'approved'
  return status === 'rejected' || status === 'disabled' ? status : undefined
}

const contentOf = ({ name, language, category, header, body, footer, buttons, examples, ...more }: TemplateRecord) => ({
  ...{ name, language, category, body, examples },
  buttons: [...buttons],
  ...(more.headerMedia && { headerMedia: more.headerMedia }),
  ...(more.authentication && { authentication: more.authentication }),
  ...(header && { header }),
  ...(footer && { footer }),
})

const toVersion = ({ number, content, outcome, reason, ...version }: TemplateVersionRecord): TemplateVersion => ({
  ...{ number, content: content as TemplateContent, outcome },
  ...(version.submittedBy && { submittedBy: version.submittedBy }),
  submittedAt: version.submittedAt.toISOString(),
  ...(reason && { reason }),
  ...(version.decidedAt && { decidedAt: version.decidedAt.toISOString() }),
})
