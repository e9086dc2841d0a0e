import { botsApi } from '@parley/contracts/bots'
import { contactsApi } from '@parley/contracts/contacts'
import { membersApi } from '@parley/contracts/members'
import { templatesApi } from '@parley/contracts/templates'
import { tagsOf } from '@parley/sample/contacts'
import { pageOf } from './page-of.ts'
import { answer, sampleCall } from './sample-call.ts'

const byName = (left: { name: string }, right: { name: string }) => left.name.localeCompare(right.name)

/** Answers what a builder asks of other domains from the sample workspace. */
export const call = sampleCall([
  answer(botsApi.list, ({ query }, { bots }) => pageOf([...bots.values()].sort(byName), query)),
  answer(templatesApi.list, ({ query }, { templates }) => {
    const approved = [...templates.values()].filter(({ status }) => status === 'approved')
    return pageOf(approved.sort(byName), query)
  }),
  answer(membersApi.list, ({ query }, { members }) => pageOf([...members.values()], query)),
  answer(contactsApi.tags, (_, { contacts }) => ({ items: tagsOf(contacts.values()) })),
])
