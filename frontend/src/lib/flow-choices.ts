import { botsApi } from '@parley/contracts/bots'
import { contactsApi } from '@parley/contracts/contacts'
import { membersApi } from '@parley/contracts/members'
import { templatePlaceholders } from '@parley/contracts/placeholders'
import { templatesApi } from '@parley/contracts/templates'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './sample/flow-choices.ts'

/** What the steps of a bot or workflow can refer to. Read anew whenever a builder opens: it comes from other screens. */
const flowChoicesOptions = () =>
  queryOptions({
    queryKey: ['flow-choices'],
    queryFn: async ({ signal }) => {
      const [bots, templates, tags, members] = await Promise.all([
        call(botsApi.list, { query: { limit: 100 }, signal }),
        call(templatesApi.list, {
          query: { limit: 100, status: ['approved'], category: undefined, language: undefined },
          signal,
        }),
        call(contactsApi.tags, { signal }),
        call(membersApi.list, { query: { limit: 100 }, signal }),
      ])
      return {
        bots: bots.items.map(({ id, name }) => ({ id, name })),
        templates: templates.items.map((template) => ({
          id: template.id,
          name: template.name,
          placeholders: templatePlaceholders(template),
        })),
        tags: tags.items.map(({ name }) => name),
        members: members.items.map(({ name }) => name),
      }
    },
    networkMode: 'always',
    staleTime: 0,
  })

/** Bots, approved templates, tags and members; nothing of them while they are read or cannot be. */
export const useFlowChoices = () => useQuery(flowChoicesOptions()).data ?? {}
