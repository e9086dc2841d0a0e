import type { NodeKind } from '@parley/contracts/automation/flow'
import { workflowEvents } from '@parley/contracts/automation/triggers'
import type { Control } from 'react-hook-form'
import { useChoices } from './builder-context.ts'
import { BusinessHoursSettings } from './business-hours-settings.tsx'
import { ChoiceList } from './choice-list.tsx'
import { AssignSetting, KeywordSettings, TemplateSettings } from './choice-settings.tsx'
import { FilterSetting } from './filter-setting.tsx'
import { FormSettings } from './form-settings.tsx'
import { HookSettings } from './hook-settings.tsx'
import { HttpSettings } from './http-settings.tsx'
import styles from './inspector.module.css'
import { eventNames } from './labels.ts'
import { MediaSettings } from './media-settings.tsx'
import type { NodeFormValues } from './node-form-values.ts'
import { AskSettings, AttributeSetting, PatienceSettings } from './question-settings.tsx'
import { ScheduleSettings } from './schedule-settings.tsx'
import {
  ComparisonSettings,
  DurationSetting,
  MessageSetting,
  SelectSetting,
  SuggestSetting,
  TextSetting,
} from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

/** The settings of a node, by its kind. */
export function SettingsForm({ kind, nodeId, control }: { kind: NodeKind; nodeId: string; control: FormControl }) {
  const { bots, tags } = useChoices()
  switch (kind) {
    case 'any_message':
      return (
        <>
          <p className={styles['note']}>Starts with any message, unless it matches a keyword.</p>
          <SelectSetting
            control={control}
            name="when"
            label="When"
            fallback="always"
            options={[
              { value: 'always', label: 'At any message' },
              { value: 'first', label: 'Only at the first message of a conversation' },
            ]}
          />
        </>
      )
    case 'handed_over':
      return <p className={styles['note']}>Starts when a member assigns the conversation to this bot.</p>
    case 'close':
      return <p className={styles['note']}>Closes the conversation. The customer’s next message opens it again.</p>
    case 'send_media':
      return <MediaSettings control={control} />
    case 'end':
      return <p className={styles['note']}>The bot stops replying. The customer’s next message can start it again.</p>
    case 'keyword':
      return <KeywordSettings control={control} />
    case 'event':
      return (
        <>
          <SelectSetting
            control={control}
            name="event"
            label="Event"
            options={workflowEvents.map((value) => ({ value, label: eventNames[value] }))}
          />
          <FilterSetting control={control} />
        </>
      )
    case 'schedule':
      return <ScheduleSettings control={control} />
    case 'hook':
      return <HookSettings control={control} nodeId={nodeId} />
    case 'send_text':
      return <MessageSetting control={control} name="text" label="Message" maxLength={4096} />
    case 'send_template':
      return <TemplateSettings control={control} />
    case 'ask':
      return (
        <>
          <MessageSetting control={control} name="text" label="Question" maxLength={4096} />
          <AskSettings control={control} />
        </>
      )
    case 'buttons':
      return (
        <>
          <MessageSetting control={control} name="text" label="Message" maxLength={1024} />
          <ChoiceList control={control} name="choices" word="Button" most={3} titleLength={20} />
          <PatienceSettings control={control} />
        </>
      )
    case 'list':
      return (
        <>
          <MessageSetting control={control} name="text" label="Message" maxLength={1024} />
          <TextSetting control={control} name="button" label="Text of the list’s button" maxLength={20} />
          <ChoiceList control={control} name="rows" word="Row" most={10} titleLength={24} described />
          <PatienceSettings control={control} />
        </>
      )
    case 'form':
      return <FormSettings control={control} />
    case 'set_attribute':
      return (
        <>
          <AttributeSetting control={control} />
          <TextSetting control={control} name="value" label="Value" maxLength={1000} />
        </>
      )
    case 'add_tag':
    case 'remove_tag':
    case 'tag':
      return <SuggestSetting control={control} name="tag" label="Tag" suggestions={tags} maxLength={40} />
    case 'assign':
      return <AssignSetting control={control} />
    case 'http_call':
      return <HttpSettings control={control} />
    case 'go_to_bot':
      return (
        <SelectSetting
          control={control}
          name="botId"
          label="Bot"
          placeholder="Choose a bot"
          options={bots.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )
    case 'business_hours':
      return <BusinessHoursSettings control={control} />
    case 'attribute':
      return (
        <>
          <AttributeSetting control={control} />
          <ComparisonSettings control={control} />
        </>
      )
    case 'last_answer':
      return <ComparisonSettings control={control} />
    case 'wait_time':
      return <DurationSetting control={control} name="seconds" label="Wait for" />
    case 'wait_reply':
      return <DurationSetting control={control} name="timeoutSeconds" label="Wait at most" />
  }
}
