import type { Template } from '@parley/contracts/templates'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { TemplateRecord } from './templates.model.ts'
import type { NewTemplateRecord, TemplateChange, TemplatesRepository } from './templates.repository.ts'

/** Whose templates, and who changes them; nobody is the system. */
export interface Caller extends WorkspaceScope {
  readonly userId?: string | undefined
}

export type TemplateStore = ReturnType<typeof createTemplateStore>

/** Templates with the event that tells of each change. */
export function createTemplateStore({
  templates,
  transaction,
}: {
  templates: TemplatesRepository
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}) {
  function tell({ workspaceId, userId }: Caller, { id, version }: TemplateRecord, tx: Pick<Tx, 'emit'>): void {
    tx.emit({
      workspaceId,
      type: 'template.changed',
      recordId: id,
      version,
      by: userId === undefined ? { kind: 'system' } : { kind: 'user', id: userId },
      data: { templateId: id },
    })
  }

  return {
    create: (caller: Caller, template: NewTemplateRecord): Promise<TemplateRecord> =>
      transaction(async (tx) => {
        const created = await templates.create(caller, template, tx)
        tell(caller, created, tx)
        return created
      }),

    /** Changes a template, whatever else has changed it. @returns `null` where it is gone. */
    change: (caller: Caller, id: string, update: TemplateChange): Promise<TemplateRecord | null> =>
      transaction((tx) => changeWithin(caller, id, update, tx)),
    changeWithin,

    /** @throws `stale_version` with the template as it is now. */
    changeVersion: (
      caller: Caller,
      { id, version, update }: { id: string; version: number; update: TemplateChange },
    ): Promise<TemplateRecord> =>
      transaction(async (tx) => {
        const changed = await templates.changeVersion(caller, { id, version, update, toAnswer: showTemplate }, tx)
        tell(caller, changed, tx)
        return changed
      }),

    /** What could not be handed to WhatsApp was never there. */
    discard: (caller: Caller, template: TemplateRecord): Promise<void> =>
      transaction(async (tx) => {
        await templates.discard(caller, template.id, tx)
        tell(caller, { ...template, version: template.version + 1 }, tx)
      }),
  }

  async function changeWithin(caller: Caller, id: string, update: TemplateChange, tx: Tx) {
    const changed = await templates.change(caller, id, update, { session: tx.session })
    if (changed) tell(caller, changed, tx)
    return changed
  }
}

/** A template as the page shows it. */
export function showTemplate(record: TemplateRecord): Template {
  const { id, version, name, language, category, header, body, footer, buttons, examples } = record
  const { status, rejectionReason, quality } = record
  return {
    ...{ id, version, name, language, category, body, buttons, examples, status },
    ...(header && { header }),
    ...(footer && { footer }),
    ...(rejectionReason && { rejectionReason }),
    ...(quality && { quality }),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}
