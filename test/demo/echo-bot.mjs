// A bot in a few lines for the tests of the demo: repeats what it hears, and can be asked for its environment.
const { BOT_TOKEN, TELEGRAM_API_ROOT } = process.env

async function call(method, payload) {
  const response = await fetch(`${TELEGRAM_API_ROOT}/bot${BOT_TOKEN}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  })
  return (await response.json()).result
}

let offset = 0
for (;;) {
  const updates = await call('getUpdates', { offset, timeout: 30 })
  for (const { update_id, message } of updates ?? []) {
    offset = update_id + 1
    if (message?.text === 'env')
      await call('sendMessage', { chat_id: message.chat.id, text: Object.keys(process.env).sort().join(' ') })
    else if (message)
      await call('sendMessage', { chat_id: message.chat.id, text: `${process.pid} ${message.text}` })
  }
}
