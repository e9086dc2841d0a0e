import { type Missed, missedKinds, type TagMatch, tagMatches } from '@parley/contracts/campaigns/campaign-fields'
import { useQuery } from '@tanstack/react-query'
import { Radio, Select } from 'antd'
import { useFormContext } from 'react-hook-form'
import { segmentChoices } from '../../../lib/choices/segments.ts'
import { tagChoices } from '../../../lib/choices/tags.ts'
import { formatCount } from '../../../lib/format.ts'
import { ContactsSelect } from '../../../ui/contact-select.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import { missedLabels } from '../labels.ts'
import type { Draft } from './draft.ts'
import styles from './new-broadcast.module.css'

export function SegmentField() {
  const { control } = useFormContext<Draft>()
  const { data, isLoadingError, isFetching, refetch } = useQuery(segmentChoices())
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The segments could not be loaded"
        message="Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return (
      <Skeleton className={styles['fields']}>
        <SkeletonBar height="200px" />
      </Skeleton>
    )
  return (
    <Field control={control} name="segmentId" label="Segment">
      {({ id, ref, status: _, ...field }) => (
        <Radio.Group {...field} id={id} className={styles['choices'] ?? ''}>
          {data.map((segment, index) => (
            <Radio key={segment.id} value={segment.id} className={styles['choice'] ?? ''} {...(index === 0 && { ref })}>
              <span className={styles['choiceName']} dir="auto">
                {segment.name}
              </span>
              <span className={styles['choiceHint']}>
                {segment.description}
                {segment.count !== null && ` · ${formatCount(segment.count)}`}
              </span>
            </Radio>
          ))}
        </Radio.Group>
      )}
    </Field>
  )
}

const missedHints: Record<Missed, string> = {
  failed: 'Contacts that WhatsApp held marketing back from are left out for a day.',
  not_delivered: 'WhatsApp may still deliver the first message, so some contacts may get both.',
  not_read: 'People may hide that they have read it.',
  not_replied: 'Contacts who asked to stop are always left out.',
  not_confirmed: 'They may get it twice, because WhatsApp has not confirmed whether the first message arrived.',
}

/** Selects recipients of the earlier campaign. */
export function MissedField() {
  const { control, watch } = useFormContext<Draft>()
  const [chosen, classes] = watch(['missed', 'classes'])
  // Sending again to unconfirmed recipients is decided beside the figures of the campaign.
  const offered = missedKinds.filter((missed) => missed !== 'not_confirmed' || missed === chosen)
  return (
    <Field control={control} name="missed" label={`Of ${watch('earlierName')}`}>
      {({ id, ref, status: _, ...field }) => (
        <Radio.Group {...field} id={id} className={styles['choices'] ?? ''}>
          {offered.map((missed, index) => (
            <Radio key={missed} value={missed} className={styles['choice'] ?? ''} {...(index === 0 && { ref })}>
              <span className={styles['choiceName']}>{missedLabels[missed]}</span>
              <span className={styles['choiceHint']}>
                {missed === 'failed' && classes.length > 0 ? 'For the chosen reasons only.' : missedHints[missed]}
              </span>
            </Radio>
          ))}
        </Radio.Group>
      )}
    </Field>
  )
}

const matchWords: Record<TagMatch, string> = { any: 'Any of these tags', all: 'All of these tags' }

export function TagsField() {
  const { control, watch } = useFormContext<Draft>()
  const { data = [], isPending } = useQuery(tagChoices())
  const areSeveral = watch('tags').length > 1
  return (
    <>
      <Field
        control={control}
        name="tags"
        label="Tags"
        {...(!areSeveral && {
          hint: 'Everyone with the tag. With several tags you choose whether people need all of them.',
        })}
      >
        {(field) => (
          <Select
            {...field}
            mode="multiple"
            loading={isPending}
            placeholder="Choose tags"
            options={data.map(({ name, contacts }) => ({ value: name, label: `${name} (${formatCount(contacts)})` }))}
          />
        )}
      </Field>
      {areSeveral && (
        <Field control={control} name="match" label="People have">
          {({ id, ref, status: _, ...field }) => (
            <Radio.Group {...field} id={id}>
              {tagMatches.map((match, index) => (
                <Radio key={match} value={match} {...(index === 0 && { ref })}>
                  {matchWords[match]}
                </Radio>
              ))}
            </Radio.Group>
          )}
        </Field>
      )}
    </>
  )
}

export function ContactsField() {
  const { control } = useFormContext<Draft>()
  return (
    <Field control={control} name="contacts" label="Contacts" hint="Search by name or phone number; at most 1,000.">
      {({ ref: _ref, onBlur: _onBlur, name: _name, ...field }) => <ContactsSelect {...field} />}
    </Field>
  )
}
