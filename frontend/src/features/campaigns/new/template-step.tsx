import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import type { Template } from '@parley/contracts/templates/templates'
import { missingMedia } from '@parley/contracts/templates/unsendable'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useFormContext } from 'react-hook-form'
import { useAccounts } from '../../../lib/choices/accounts.ts'
import { templateChoices, unsendableInCampaign } from '../../../lib/choices/templates.ts'
import { ActionLink } from '../../../ui/action.tsx'
import { choiceOf, choiceWithReason } from '../../../ui/choice-reason.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import type { Draft } from './draft.ts'
import styles from './new-broadcast.module.css'
import { PersonalPreview } from './personal-preview.tsx'
import { RecipientFileFields } from './recipient-file-fields.tsx'
import { VariableFields } from './variable-fields.tsx'

/** Step 2: an approved template, and what its variables are filled with. */
export function TemplateStep() {
  const { control, watch } = useFormContext<Draft>()
  const { data, isLoadingError, isFetching, refetch } = useQuery(templateChoices())
  const accounts = useAccounts()
  const chosen = data?.find(({ id }) => id === watch('templateId'))
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The templates could not be loaded"
        message="Your draft is still here. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data)
    return (
      <Skeleton className={styles['columns']}>
        <SkeletonBar height="220px" />
        <SkeletonBar height="320px" />
      </Skeleton>
    )
  if (data.length === 0)
    return (
      <EmptyState
        title="No approved templates yet"
        message="Write one and send it for review; WhatsApp takes up to 24 hours."
        action={<ActionLink to="/templates?new=1">Write a template</ActionLink>}
      />
    )
  return (
    <div className={styles['columns']}>
      <div className={styles['fields']}>
        <Field
          control={control}
          name="templateId"
          label="Template"
          hint="Only templates approved by WhatsApp can be sent."
        >
          {({ value, ...field }) => (
            <Select
              {...field}
              {...(chosen && { value })}
              showSearch={{ optionFilterProp: 'label' }}
              placeholder="Choose a template"
              options={data.map((template) => {
                const { id, name, language, accountId } = template
                const account = accounts.find((one) => one.id === accountId)
                const reason = unsendableInCampaign(template)
                const label = [`${name} (${language})`, account?.label].filter(Boolean).join(' · ')
                return choiceOf({ value: id, label, reason })
              })}
              optionRender={choiceWithReason}
            />
          )}
        </Field>
        {chosen && <RecipientFileFields kind={chosen.headerMedia?.kind} missing={missingMedia(chosen)} />}
        {chosen && <Variables template={chosen} />}
      </div>
      <PersonalPreview template={chosen} />
    </div>
  )
}

function Variables({ template }: { template: Template }) {
  const keys = templatePlaceholders(template)
  if (keys.length === 0) return <p className={styles['lead']}>This template has no variables.</p>
  return (
    <fieldset className={styles['group']}>
      <legend>Variables</legend>
      {keys.map((key) => (
        <VariableFields key={`${template.id}:${key}`} name={key} sample={template.examples[key]} />
      ))}
    </fieldset>
  )
}
