import type { Template } from '@parley/contracts/templates/templates'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleAccountId, sampleDigits, sampleRecords } from '../../platform/sample-records.ts'
import { definitionOf } from '../../whatsapp/template-components.ts'
import { type TemplateRecord, templateKey, templateSchema } from './templates.model.ts'

/** Templates of the sample data. */
export function createSampleTemplates(connection: ServiceConnection) {
  const templates = workspaceCollection<TemplateRecord>({ connection, name: 'templates', schema: templateSchema })
  const records = sampleRecords(templates)

  return {
    insert: (scope: WorkspaceScope, sample: readonly Template[]) =>
      records.insert(
        scope,
        sample.map((template) => recordOf(scope, template)),
      ),
    remove: records.remove,
  }
}

function recordOf(scope: WorkspaceScope, { id: _id, createdAt, updatedAt, editedAt = [], ...template }: Template) {
  const businessAccountId = sampleAccountId(scope)
  return {
    ...template,
    _id,
    businessAccountId,
    key: templateKey(businessAccountId, template),
    waTemplateId: sampleDigits(scope, _id),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    editedAt: editedAt.map((at) => new Date(at)),
    sample: true as const,
  }
}

const qualities = { high: 'GREEN', medium: 'YELLOW', low: 'RED', unknown: 'UNKNOWN' } as const

/** The same templates as the simulator is given them. */
export const simulatedTemplates = (scope: WorkspaceScope, sample: readonly Template[]): object[] =>
  sample.map((template) => ({
    ...definitionOf(template),
    id: sampleDigits(scope, template.id),
    status: template.status.toUpperCase(),
    quality: qualities[template.quality ?? 'unknown'],
    ...(template.rejectionReason !== undefined && { rejected_reason: 'INVALID_FORMAT' }),
  }))
