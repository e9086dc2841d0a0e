import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, recordKey, storedFields } from '../core/records.ts'
import { formAnswersSchema } from '../inbox/messages.ts'
import { draftFlowSchema } from './flow.ts'
import { type FlowKind, flowBodyBytes, versionSchema } from './flow-summary.ts'
import { workflowStarts } from './triggers.ts'

export const maxFlowTests = 50
/** Maximum lines that a tester plays, and lines that come of them. */
const maxScriptLines = 100
export const maxTranscriptLines = 300

const partSchema = z.object({
  contentType: z.string().min(1).max(40),
  text: z.string().max(4096),
  answers: formAnswersSchema.optional(),
  place: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }).optional(),
})

/** Actions that a test can have refused. */
const refusable = [
  'send',
  'send_template',
  'set_attribute',
  'add_tag',
  'remove_tag',
  'assign',
  'note',
  'close',
  'release',
  'http_call',
] as const

/** One act of the customer, of a member, of the clock or of the platform; as the test panel plays it. */
const scriptLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), parts: z.array(partSchema).min(1).max(20) }),
  z.object({ type: z.literal('tap'), title: z.string().max(60) }),
  z.object({
    type: z.literal('wait'),
    seconds: z
      .number()
      .int()
      .min(1)
      .max(60 * 86_400),
  }),
  z.object({ type: z.literal('handed_over') }),
  z.object({
    type: z.literal('event'),
    event: z.enum(workflowStarts),
    fields: z.record(recordKey, z.union([z.string().max(1000), z.number(), z.boolean()])).optional(),
  }),
  z.object({
    type: z.literal('http_answer'),
    ok: z.boolean(),
    body: z.string().max(4000),
    /** No answer came, and the call may have been done. */
    uncertain: z.boolean().optional(),
  }),
  z.object({ type: z.literal('refuse'), action: z.enum(refusable), code: z.string().max(60) }),
])

/** Script of a test: the customer with whom it begins, and what happens. */
export const flowScriptSchema = z.object({
  /** Time at which it begins, in milliseconds since 1970. */
  at: z.number().int().min(0).max(4_102_444_800_000),
  person: z.object({
    name: z.string().max(120),
    phone: z.string().max(20).optional(),
    tags: z.array(z.string().max(60)).max(50),
    attributes: z.record(recordKey, z.string().max(1000)),
  }),
  lines: z.array(scriptLineSchema).min(1, 'Try something out first').max(maxScriptLines),
})

/** One line of what a test shows, as people read it. Ids of templates and members stand for themselves in `about`. */
export const transcriptLineSchema = z.object({
  by: z.enum(['customer', 'event', 'bot', 'wait', 'end', 'passed']),
  text: z.string().max(5000),
  options: z.array(z.string().max(200)).max(10).optional(),
  about: z.object({ kind: z.enum(['template', 'member', 'form']), id: z.string().max(64) }).optional(),
  /** Code with which the action was refused. */
  refused: z.string().max(60).optional(),
  /** Node that did it; it counts for no comparison. */
  nodeId: idSchema.optional(),
})
export type TranscriptLine = z.infer<typeof transcriptLineSchema>

const testSchema = z.object({ ...storedFields, name: z.string().max(80) })
export type FlowScript = z.infer<typeof flowScriptSchema>
export type FlowTest = z.infer<typeof testSchema>

const resultSchema = z.object({
  testId: idSchema,
  name: z.string().max(80),
  passed: z.boolean(),
  /** Sentence on why it could not be played to its end. */
  reason: z.string().max(200).optional(),
  /** First line that differs; a side is missing where its transcript has ended. */
  difference: z
    .object({
      index: z.number().int().nonnegative(),
      expected: transcriptLineSchema.optional(),
      found: transcriptLineSchema.optional(),
    })
    .optional(),
})
export type FlowTestResult = z.infer<typeof resultSchema>

const nameSchema = z.string().trim().min(1, 'Enter a name').max(80, 'At most 80 characters')
const byTest = byId.extend({ testId: idSchema })
const draftBody = z.object({ draft: draftFlowSchema.optional() })

/** Endpoints for the tests of bots, or of workflows. */
export const flowTestEndpoints = <const K extends FlowKind>(kind: K) => ({
  tests: defineEndpoint({
    operation: `${kind}s.tests`,
    method: 'GET',
    path: `/api/${kind}s/:id/tests`,
    access: 'session',
    permission: `${kind}s:read`,
    summary: `Recorded tests of a ${kind}, by name.`,
    params: byId,
    status: 200,
    response: z.object({ items: z.array(testSchema).max(maxFlowTests) }),
    errors: ['not_found'],
  }),
  test: defineEndpoint({
    operation: `${kind}s.test`,
    method: 'GET',
    path: `/api/${kind}s/:id/tests/:testId`,
    access: 'session',
    permission: `${kind}s:read`,
    summary: 'One test with its script and what it expects.',
    params: byTest,
    status: 200,
    response: testSchema.extend({
      script: flowScriptSchema,
      expected: z.array(transcriptLineSchema).max(maxTranscriptLines),
    }),
    errors: ['not_found'],
  }),
  createTest: defineEndpoint({
    operation: `${kind}s.createTest`,
    method: 'POST',
    path: `/api/${kind}s/:id/tests`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: `Keeps a script, and what the draft answers to it now, as a test. At most ${maxFlowTests} for a ${kind}.`,
    params: byId,
    body: draftBody.extend({ name: nameSchema, script: flowScriptSchema }),
    bodyLimitBytes: flowBodyBytes,
    status: 201,
    response: testSchema,
    errors: ['not_found', 'limit_reached'],
  }),
  updateTest: defineEndpoint({
    operation: `${kind}s.updateTest`,
    method: 'PATCH',
    path: `/api/${kind}s/:id/tests/:testId`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: 'Renames a test; with `accept` it expects from now on what the draft answers.',
    params: byTest,
    body: draftBody.extend({ name: nameSchema.optional(), accept: z.literal(true).optional(), version: versionSchema }),
    bodyLimitBytes: flowBodyBytes,
    status: 200,
    response: testSchema,
    errors: ['not_found', 'stale_version', 'limit_reached'],
  }),
  removeTest: defineEndpoint({
    operation: `${kind}s.removeTest`,
    method: 'DELETE',
    path: `/api/${kind}s/:id/tests/:testId`,
    access: 'session',
    permission: `${kind}s:write`,
    summary: 'Deletes a test.',
    params: byTest,
    status: 204,
    errors: ['not_found'],
  }),
  runTests: defineEndpoint({
    operation: `${kind}s.runTests`,
    method: 'POST',
    path: `/api/${kind}s/:id/tests/run`,
    access: 'session',
    permission: `${kind}s:read`,
    audit: 'none',
    summary: 'Plays all tests against the draft, or the flow that is sent; nothing is sent to anyone.',
    params: byId,
    body: draftBody,
    bodyLimitBytes: flowBodyBytes,
    repeatable: true,
    status: 200,
    response: z.object({ results: z.array(resultSchema).max(maxFlowTests) }),
    errors: ['not_found'],
  }),
})
