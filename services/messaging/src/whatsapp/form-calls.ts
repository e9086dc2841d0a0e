import { z } from 'zod'
import { type AccountAccess, listPages } from './graph-pages.ts'

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

/** Graph API calls for forms, which WhatsApp calls flows. Source: WhatsApp Business Platform, Flows API. */
export const formCalls = {
  /**
   * Lists an account's forms. Entries that cannot be read as one are left out.
   * @throws GraphCallFailed with WhatsApp's own words, or where there are more than `max`.
   */
  list: async (access: AccountAccess, max: number): Promise<FormAtWhatsApp[]> => {
    const endless = `The account has more than ${max} forms, or WhatsApp’s list of them does not end.`
    const maxPages = Math.ceil(max / pageSize)
    const found: FormAtWhatsApp[] = []
    const pages = listPages(access, { edge: 'flows', fields, entry: formSchema, pageSize, maxPages, endless })
    for await (const page of pages) found.push(...page)
    return found
  },
}
