import { membersApi } from '@parley/contracts/account/members'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'

export const answers = [answer(membersApi.list, ({ query }, { members }) => pageOf([...members.values()], query))]
