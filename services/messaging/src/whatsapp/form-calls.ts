import { z } from 'zod'
import { GraphCallFailed } from './graph-answer.ts'
import type { TemplateAccess } from './template-calls.ts'

const word = z.string().max(200).optional().catch(undefined)
const formSchema = z.looseObject({
  id: z.string().max(64),
  name: z.string().max(600),
  status: z.string().max(40),
  /** Address of the server that a form asks while it is filled in; and the version in which it asks. */
  endpoint_uri: z.string().max(2000).optional().catch(undefined),
  data_api_version: word,
})
export type FormAtWhatsApp = z.infer<typeof formSchema>

const fields = 'id,name,status,endpoint_uri,data_api_version'
const pageSize = 100

const pageSchema = z.looseObject({
  data: z.array(z.unknown()).max(1000),
  paging: z
    .looseObject({
      next: z.string().optional().catch(undefined),
      cursors: z
        .looseObject({ after: z.string().max(2000).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** Graph API calls for forms, which WhatsApp calls flows. Source: WhatsApp Business Platform, Flows API. */
export const formCalls = {
  /**
   * Lists an account's forms. Entries that cannot be read as one are left out.
   * @throws GraphCallFailed with WhatsApp's own words, or where there are more than `most`.
   */
  list: async ({ graph, businessAccountId, accessToken }: TemplateAccess, most: number): Promise<FormAtWhatsApp[]> => {
    const found: FormAtWhatsApp[] = []
    let after: string | undefined
    for (let count = 0; count * pageSize < most; count += 1) {
      const page: z.infer<typeof pageSchema> = await graph.call('GET', `${businessAccountId}/flows`, {
        accessToken: accessToken.reveal(),
        query: { fields, limit: String(pageSize), ...(after && { after }) },
        answer: pageSchema,
      })
      found.push(...page.data.flatMap((item) => formSchema.safeParse(item).data ?? []))
      const next = page.paging?.next === undefined ? undefined : page.paging.cursors?.after
      if (next === undefined) return found
      if (next === after) break
      after = next
    }
    throw new GraphCallFailed(`The account has more than ${most} forms, or WhatsApp’s list of them does not end.`)
  },
}
