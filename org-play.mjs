import { chromium } from 'playwright-core'
import { startDemo } from './dist/demo/server.js'
import { rmSync, writeFileSync } from 'node:fs'
const lang = process.argv[2] ?? 'fa', dark = process.argv[3] === 'dark'
const dir = `/tmp/dd-org-${lang}`
rmSync(dir, { recursive: true, force: true }); rmSync(`${dir}.key`, { force: true })
const demo = await startDemo({ host: '127.0.0.1', port: lang === 'fa' ? 8141 : 8147, dataDir: dir, fresh: true, generationSeconds: 1, logLevel: 'error', botEntry: new URL('./dist/main.js', import.meta.url), onBotExit: (e) => console.log('exit', e) })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
let n = 0
async function open(id, start) {
  const page = await browser.newPage({ viewport: { width: 412, height: 860 }, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  page.setDefaultTimeout(90_000)
  await page.goto(`${demo.url}/?person=${id}${start ? `&start=${start}` : ''}`)
  const phone = page.locator(`.phone[data-person="${id}"]`)
  await phone.locator('.phone-header:not(.connecting)').waitFor()
  const chat = {
    page, phone,
    start: async () => { await phone.locator('.bar-button.start').click() },
    say: async (text) => { const sent = page.waitForResponse((r) => r.url().endsWith(`/people/${id}/say`)); await phone.locator('.input').fill(text); await phone.locator('.input').press('Enter'); await sent },
    tap: async (data) => { await phone.locator(`[data-callback^="${data}"]`).last().click() },
    see: async (text) => { await phone.locator('[data-message-id]').filter({ hasText: text }).last().waitFor() },
    shot: async (name) => { await page.waitForTimeout(900); n += 1; await page.screenshot({ path: `/tmp/org-shots/play-${lang}-${String(n).padStart(2, '0')}-${name}.png` }) },
  }
  return chat
}
const [sara, ali] = demo.emulator.people()
const o = await open(demo.organizerId)
await o.start()
await o.page.waitForTimeout(1500)
if (lang === 'en') { await o.say('/language'); await o.tap('lang:en'); await o.page.waitForTimeout(1500) }
const token = demo.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })
await o.say('/records'); await o.tap('list:'); await o.page.waitForTimeout(1500); await o.shot('list2')
await o.say(`/records ${token}`); await o.phone.locator(`[data-callback="card:r:${token}"]`).last().waitFor(); await o.shot('card')
await o.tap('invite:r:'); await o.see(/start=i_/); await o.tap('expire:'); await o.page.waitForTimeout(1500); await o.shot('invitation')
await o.tap('qr:'); await o.page.waitForTimeout(2500); await o.shot('qr')
const payload = /start=(i_[a-z2-7]{12})/.exec(await o.phone.textContent())[1]
const s = await open(sara.id, payload)
await s.start()
await s.tap('begin:')
const details = ['زهرا محمدی', '1375/5/12']
await s.page.waitForTimeout(2000); await s.say(details[0]); await s.page.waitForTimeout(2500); await s.say(details[1]); await s.tap('gender:female'); await s.page.waitForTimeout(2500); await s.say('09123456789'); await s.tap('profile:ok')
for (let q = 0; q < 3; q++) await s.phone.locator(`[data-callback^="a:"][data-callback*=":${q}:1:"]`).last().click()
await s.page.waitForTimeout(1500)
await o.say(`/records زهرا`); await o.page.waitForTimeout(2500); await o.shot('search')
await o.say(`/records ${token}`); await o.page.waitForTimeout(2500); await o.shot('card-begun')
for (let q = 3; q < 7; q++) await s.phone.locator(`[data-callback^="a:"][data-callback*=":${q}:${q % 3}:"]`).last().click()
await s.tap('submit:')
await o.page.waitForTimeout(4000); await o.shot('finished-notice')
await o.tap('send:'); await o.page.waitForTimeout(6000); await o.shot('sent')
// 300
const lines = Array.from({ length: 300 }, (_, i) => `${demo.sandbox.addRecord({ testId: i % 2 ? 'sleep-20' : 'mood-7' })} ${1000 + i}`)
const began = Date.now()
await o.say('/invite'); await o.page.waitForTimeout(1500)
await o.say(lines.join('\n'))
await o.page.waitForTimeout(3000)
console.log('organizer busy ms', Date.now() - began); await o.shot('batch-asked')
await o.say('/status'); await o.tap('drop:0'); await o.page.waitForTimeout(3000); await o.shot('status-drop')
await o.phone.locator('img').first().waitFor().catch(() => {})
await o.say('/status'); await o.page.waitForTimeout(4000); await o.shot('status')
await o.tap('audit'); await o.page.waitForTimeout(1500); await o.shot('audit')
await o.say('/status'); await o.page.waitForTimeout(3000); await o.tap('export'); await o.page.waitForTimeout(3000); await o.shot('export')
await o.say('/notices'); await o.page.waitForTimeout(1500); await o.tap('notice:stuck'); await o.page.waitForTimeout(1500); await o.shot('notices')
if (lang === 'fa') {
  // Meanwhile the batch is looked up behind everybody.
  for (let i = 0; i < 60; i++) { if ((await o.phone.textContent()).includes('invitations-')) break; await o.page.waitForTimeout(10_000) }
  console.log('batch done ms', Date.now() - began)
  await o.page.waitForTimeout(2000); await o.shot('batch-done')
}
const { writeFile } = await import('node:fs/promises')
for (const person of demo.emulator.people()) for (const m of person.messages) if (m.document && m.from.is_bot) { const f = demo.emulator.file(m.document.file_id); if (f) await writeFile(`/tmp/org-play/${lang}-${m.message_id}-${m.document.file_name}`, f.bytes) }
await browser.close(); await demo.close(); console.log('done')
