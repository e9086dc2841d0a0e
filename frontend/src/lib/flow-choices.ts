import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { unsendableReason } from '@parley/contracts/templates/unsendable'
import { useQueries } from '@tanstack/react-query'
import { attributeChoices } from './choices/attributes.ts'
import { botChoices } from './choices/bots.ts'
import { connectionChoices } from './choices/connections.ts'
import { formChoices } from './choices/forms.ts'
import { memberChoices } from './choices/members.ts'
import { segmentChoices } from './choices/segments.ts'
import { tagChoices } from './choices/tags.ts'
import { templateChoices } from './choices/templates.ts'

/** Bots, approved templates, tags, fields, connections, forms, members and segments that the steps of a bot or workflow can refer to; absent until they are read. */
export const useFlowChoices = () =>
  useQueries({
    queries: [
      botChoices(),
      templateChoices(),
      tagChoices(),
      memberChoices(),
      attributeChoices(),
      segmentChoices(),
      connectionChoices(),
      formChoices(),
    ],
    combine: ([bots, templates, tags, members, attributes, segments, connections, forms]) => ({
      ...(bots.data && { bots: bots.data.map(({ id, name }) => ({ id, name })) }),
      ...(templates.data && {
        templates: templates.data.map((template) => ({
          id: template.id,
          name: template.name,
          placeholders: templatePlaceholders(template),
          reason: unsendableReason(template),
        })),
      }),
      ...(tags.data && { tags: tags.data.map(({ name }) => name) }),
      ...(segments.data && { segments: segments.data.map(({ id, name }) => ({ id, name })) }),
      ...(attributes.data && { attributes: attributes.data }),
      ...(connections.data && { connections: connections.data }),
      ...(forms.data && { forms: forms.data.items.map(({ id, name }) => ({ id, name })) }),
      ...(members.data && { members: members.data.map(({ userId, name }) => ({ id: userId, name })) }),
    }),
  })
