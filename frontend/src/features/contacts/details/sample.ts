import { conversationsApi } from '@parley/contracts/conversations'
import { conversationWith } from '@parley/sample/inbox'
import { pageOf } from '../../../lib/sample/page-of.ts'
import { answer, sampleCall } from '../../../lib/sample/sample-call.ts'

/** Apart from the screen's other calls, for the inbox's sample is large and only the details need it. */
export const call = sampleCall([
  answer(conversationsApi.list, ({ query }, story) => {
    const conversation = query.contact && conversationWith(story, query.contact)
    return pageOf(conversation ? [conversation] : [], query)
  }),
])
