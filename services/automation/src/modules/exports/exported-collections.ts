import type { automationExportFiles } from '@parley/contracts/account/workspace-export'
import {
  type ExportedCollection,
  exportAnswer,
  exportedRecords,
  jsonLines,
} from '@parley/service-kit/data/export-workspace'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type ServiceContext, scopeOf } from '@parley/service-kit/http/context'
import { z } from 'zod'

type File = (typeof automationExportFiles)[number]

const flowFields = [
  'name',
  'status',
  'publishedVersion',
  'connections',
  'deletedAt',
  'sample',
  'createdAt',
  'updatedAt',
]

const urlSchema = z.object({ baseUrl: z.url() })

/** Flows as the export of a workspace shows them. Drafts have the version number 0. */
export const exportedCollections: Readonly<Record<File, ExportedCollection>> = {
  bots: { collection: 'bots', fields: [...flowFields, 'numberIds', 'settings'] },
  workflows: { collection: 'workflows', fields: [...flowFields, 'enrolment', 'events'] },
  'flow-versions': {
    collection: 'flowVersions',
    fields: ['flowId', 'number', 'note', 'restoredFrom', 'publishedBy', 'publishedAt'],
  },
  'flow-contents': {
    collection: 'flows',
    fields: ['flowId', 'number', 'flow'],
    shown: ({ flow, ...record }) => ({ ...record, flow: parsed(flow) }),
  },
  'flow-tests': {
    collection: 'flowTests',
    fields: ['flowId', 'name', 'script', 'expected', 'createdAt', 'updatedAt'],
    shown: ({ script, expected, ...record }) => ({ ...record, script: parsed(script), expected: parsed(expected) }),
  },
  'flow-settings': { collection: 'automationSettings', fields: ['closedText', 'handOverWords', 'returnHours'] },
  'flow-schedules': { collection: 'schedules', fields: ['flowId', 'nodeId', 'timing', 'segmentId', 'nextAt'] },
  // Tokens and what tells repeated calls apart stay.
  'incoming-webhooks': { collection: 'hooks', fields: ['flowId', 'nodeId', 'createdAt', 'lastCallAt'] },
  'incoming-calls': {
    collection: 'hookCalls',
    fields: ['flowId', 'nodeId', 'at', 'result', 'problem', 'fields', 'repeats', 'runId', 'contactId'],
  },
  connections: {
    collection: 'connections',
    fields: ['name', 'baseUrl', 'repeatable', 'createdAt', 'updatedAt'],
    // Paths carry secrets now and then.
    shown: (record) => ({ ...record, baseUrl: new URL(urlSchema.parse(record).baseUrl).origin }),
  },
  'flow-runs': {
    collection: 'runs',
    fields: [
      ...['kind', 'flowId', 'number', 'contactId', 'conversationId', 'numberId', 'status', 'outcome', 'reason', 'code'],
      ...['startedBy', 'createdAt', 'endedAt'],
    ],
  },
}

/** JSON as it is stored, because names in it may hold dots and dollars. */
function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : text
}

/** Writes one file of an export. */
export const createExportOf =
  ({ mongo }: { readonly mongo: ServiceConnection }) =>
  (ctx: ServiceContext, file: File) =>
    exportAnswer(file, jsonLines(exportedRecords(mongo, scopeOf(ctx), exportedCollections[file])))
