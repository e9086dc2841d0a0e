import ApiOutlined from '@ant-design/icons/ApiOutlined'
import AppstoreOutlined from '@ant-design/icons/AppstoreOutlined'
import BranchesOutlined from '@ant-design/icons/BranchesOutlined'
import CalendarOutlined from '@ant-design/icons/CalendarOutlined'
import CheckSquareOutlined from '@ant-design/icons/CheckSquareOutlined'
import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import CommentOutlined from '@ant-design/icons/CommentOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import FieldTimeOutlined from '@ant-design/icons/FieldTimeOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import FormOutlined from '@ant-design/icons/FormOutlined'
import HourglassOutlined from '@ant-design/icons/HourglassOutlined'
import KeyOutlined from '@ant-design/icons/KeyOutlined'
import LinkOutlined from '@ant-design/icons/LinkOutlined'
import MessageOutlined from '@ant-design/icons/MessageOutlined'
import MinusSquareOutlined from '@ant-design/icons/MinusSquareOutlined'
import PictureOutlined from '@ant-design/icons/PictureOutlined'
import PoweroffOutlined from '@ant-design/icons/PoweroffOutlined'
import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined'
import RobotOutlined from '@ant-design/icons/RobotOutlined'
import SendOutlined from '@ant-design/icons/SendOutlined'
import TagOutlined from '@ant-design/icons/TagOutlined'
import TagsOutlined from '@ant-design/icons/TagsOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import UnorderedListOutlined from '@ant-design/icons/UnorderedListOutlined'
import UserAddOutlined from '@ant-design/icons/UserAddOutlined'
import UserSwitchOutlined from '@ant-design/icons/UserSwitchOutlined'
import { type FlowNodeType, type NodeKind, nodeKinds } from '@parley/contracts/automation/flow'
import { defaultTimeZone } from '@parley/contracts/core/time-zones'
import type { ComponentType } from 'react'
import type { DraftNode } from './flow-edits.ts'
import { workdays } from './starter-flows.ts'

export type DraftSettings = DraftNode['settings']

interface KindInfo {
  readonly label: string
  readonly Icon: ComponentType<{ className?: string }>
  /** Returns a new node's initial settings; empty texts are for the person to write. */
  readonly begin: () => Omit<DraftSettings, 'kind'>
}

const info = (label: string, Icon: KindInfo['Icon'], begin: KindInfo['begin'] = () => ({})): KindInfo => ({
  label,
  Icon,
  begin,
})
const choiceId = () => crypto.randomUUID().slice(0, 8)

/** Name, look and initial settings of each kind of node. */
export const kinds: Readonly<Record<NodeKind, KindInfo>> = {
  keyword: info('Keyword match', KeyOutlined, () => ({ keywords: [], match: 'word' })),
  any_message: info('Any message', CommentOutlined),
  handed_over: info('Given to bot', UserAddOutlined),
  event: info('Event', ThunderboltOutlined, () => ({ event: 'contact.created' })),
  schedule: info('Schedule', CalendarOutlined, () => ({
    repeat: { every: 'day' },
    time: '09:00',
    timeZone: defaultTimeZone,
    segmentId: '',
  })),
  hook: info('Incoming webhook', LinkOutlined, () => ({ contact: { by: 'phone', pointer: '/phone' } })),
  send_text: info('Send message', SendOutlined, () => ({ text: '' })),
  send_media: info('Send media', PictureOutlined, () => ({ media: 'image', mediaId: '' })),
  send_template: info('Send template', FileTextOutlined, () => ({ templateId: '', variables: {} })),
  ask: info('Ask a question', QuestionCircleOutlined, () => ({ text: '', attribute: 'answer' })),
  buttons: info('Buttons', AppstoreOutlined, () => ({
    text: '',
    choices: [
      { id: choiceId(), title: 'Yes' },
      { id: choiceId(), title: 'No' },
    ],
  })),
  list: info('List', UnorderedListOutlined, () => ({
    text: '',
    button: 'Choose',
    rows: [{ id: choiceId(), title: 'First choice' }],
  })),
  form: info('Form', FormOutlined, () => ({ text: '', button: 'Open form', formId: '' })),
  set_attribute: info('Set attribute', EditOutlined, () => ({ attribute: '', value: '' })),
  add_tag: info('Add tag', TagOutlined, () => ({ tag: '' })),
  remove_tag: info('Remove tag', MinusSquareOutlined, () => ({ tag: '' })),
  assign: info('Assign', UserSwitchOutlined, () => ({ to: { kind: 'queue' } })),
  close: info('Close conversation', CheckSquareOutlined),
  http_call: info('HTTP call', ApiOutlined, () => ({ connectionId: '', method: 'GET', path: '/' })),
  go_to_bot: info('Go to bot', RobotOutlined, () => ({ botId: '' })),
  end: info('End', PoweroffOutlined),
  business_hours: info('Business hours', ClockCircleOutlined, () => ({
    hours: { use: 'own', timeZone: defaultTimeZone, spans: [...workdays], closedOn: [] },
  })),
  attribute: info('Attribute', BranchesOutlined, () => ({ attribute: '', comparison: 'equals', value: '' })),
  tag: info('Tag', TagsOutlined, () => ({ tag: '' })),
  last_answer: info('Last answer', MessageOutlined, () => ({ comparison: 'contains', value: '' })),
  wait_time: info('Wait', FieldTimeOutlined, () => ({ seconds: 3600 })),
  wait_reply: info('Wait for reply', HourglassOutlined, () => ({ timeoutSeconds: 3600 })),
}

/** The four types, and the kind that each begins with. */
export const types: Readonly<Record<FlowNodeType, { readonly label: string; readonly first: NodeKind }>> = {
  trigger: { label: 'Trigger', first: 'keyword' },
  action: { label: 'Action', first: 'send_text' },
  condition: { label: 'Condition', first: 'business_hours' },
  delay: { label: 'Delay', first: 'wait_time' },
}

/** The kind of a draft's node, if it is one that we know. */
export const kindOf = ({ kind }: DraftSettings): NodeKind | undefined =>
  Object.values(nodeKinds)
    .flat()
    .find((known) => known === kind)

/** Returns a node's name where its own label is empty. */
export function nameOf({ label, settings }: Pick<DraftNode, 'label' | 'settings'>): string {
  const kind = kindOf(settings)
  return label.trim() || (kind ? kinds[kind].label : 'Unknown node')
}
