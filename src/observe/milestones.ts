/** What an operator counts, and looks for in the log: each is told once, when what it stands for is kept. */
export const milestones = [
  'begun',
  'submitted',
  'delivered',
  'sms-sent',
  'sms-refused',
  'reminded',
  'set-aside',
] as const

export type Milestone = (typeof milestones)[number]
