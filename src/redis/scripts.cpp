#include "redis/scripts.hpp"

namespace heddle::redis {
namespace {

// In front of each.
constexpr const char* kCommon = R"lua(
local function key(name) return KEYS[1] .. name end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local kAll = {'meta', 'run', 'settings', 'marks', 'bundles', 'lost', 'queue', 'lease', 'deadlines', 'idle', 'memory'}
local kOfRun = {'run', 'settings', 'marks', 'bundles', 'lost', 'queue', 'lease', 'deadlines'}
local kDay = 86400

local function get(field) return redis.call('HGET', key('run'), field) end
local function set(...) redis.call('HSET', key('run'), ...) end
local function is_working() return get('phase') == 'working' end

-- All keys live for a day from now. It is told each minute, because it is more to write, and of new keys.
local function touch()
  if (get('phase') or 'over') == 'over' then return end
  local late = now - tonumber(get('touched') or 0) >= 60000
  if late then set('touched', now) end
  for _, name in ipairs(kAll) do
    if late or redis.call('TTL', key(name)) == -1 then redis.call('EXPIRE', key(name), kDay) end
  end
end

local function lease_until(token, lost)
  local seconds = tonumber(redis.call('HGET', key('meta'), 'lease'))
  local factor = 2 ^ math.min(lost, 6)  -- perhaps no worker can be so quick
  redis.call('ZADD', key('deadlines'), string.format('%.0f', now + seconds * 1000 * factor), token)
end

local function forget_lease(token)
  redis.call('HDEL', key('lease'), token .. ':id', token .. ':version', token .. ':number')
  redis.call('ZREM', key('deadlines'), token)
end

local function meet_trouble(id, version, message)
  set('phase', 'trouble', 'trouble', id, 'trouble_version', version, 'message', message)
end

-- The bundle of a lease waits again, before all others.
local function give_back(token, most)
  local id, version = unpack(redis.call('HMGET', key('lease'), token .. ':id', token .. ':version'))
  forget_lease(token)
  if not id then return end
  redis.call('HINCRBY', key('run'), 'losses', 1)
  local lost = redis.call('HINCRBY', key('lost'), id, 1)
  if lost >= most and is_working() then
    meet_trouble(id, version, 'each process that explores a part of the program dies, or says nothing for too long')
  end
  redis.call('LPUSH', key('queue'), id)
end

local function reap(most)
  local late = redis.call('ZRANGEBYSCORE', key('deadlines'), '-inf', now, 'LIMIT', 0, 100)
  for _, token in ipairs(late) do give_back(token, most) end
end
)lua";

// owner, its name; identity, words, bitcode, lease → 'busy', or 'new', or 'there' and the identity.
constexpr const char* kOpen = R"lua(
local owner = redis.call('GET', key('owner'))
if owner and owner ~= ARGV[1] then return {'busy'} end
local known = redis.call('HGET', key('meta'), 'identity')
if known and get('phase') ~= 'over' and known ~= ARGV[2] then return {'there', known} end
redis.call('SET', key('owner'), ARGV[1], 'PX', 10000)
if known ~= ARGV[2] or get('phase') == 'over' then
  for _, name in ipairs(kAll) do redis.call('DEL', key(name)) end
  set('phase', 'none')
end
redis.call('HSET', key('meta'), 'identity', ARGV[2], 'words', ARGV[3], 'bitcode', ARGV[4], 'lease', ARGV[5])
set('touched', 0)
touch()
return {'ours', known or ''}
)lua";

// owner or '', the worker that asks, its processes that wait, how many did the last time, most losses
constexpr const char* kLook = R"lua(
local phase = get('phase')
if not phase or phase == 'over' then return {'over'} end
reap(tonumber(ARGV[5]))
if ARGV[1] ~= '' then redis.call('SET', key('owner'), ARGV[1], 'PX', 10000) end
for i = 1, tonumber(ARGV[3]) do redis.call('ZADD', key('idle'), now, ARGV[2] .. '#' .. i) end
for i = tonumber(ARGV[3]) + 1, tonumber(ARGV[4]) do redis.call('ZREM', key('idle'), ARGV[2] .. '#' .. i) end
touch()
redis.call('ZREMRANGEBYSCORE', key('idle'), '-inf', now - 5000)
local idle = redis.call('ZCOUNT', key('idle'), now - 1500, '+inf')
local counts = redis.call('HMGET', key('run'), 'executions', 'blocked', 'duplicates', 'events', 'unusual', 'losses')
for i = 1, 6 do counts[i] = counts[i] or (i == 5 and '' or '0') end
return {get('phase'), counts, redis.call('LLEN', key('queue')), redis.call('ZCARD', key('deadlines')), idle,
        redis.call('SMEMBERS', key('marks')), redis.call('EXISTS', key('owner')), get('number') or '0'}
)lua";

// number, before, settings, bundle, executions, blocked, duplicates, events, unusual, marks...
constexpr const char* kBegin = R"lua(
for _, name in ipairs(kOfRun) do redis.call('DEL', key(name)) end
set('phase', 'working', 'number', ARGV[1], 'before', ARGV[2], 'version', 0, 'ids', 1)
redis.call('RPUSH', key('settings'), ARGV[3])
redis.call('HSET', key('bundles'), 1, ARGV[4])
redis.call('RPUSH', key('queue'), 1)
set('executions', ARGV[5], 'blocked', ARGV[6], 'duplicates', ARGV[7], 'events', ARGV[8], 'losses', 0)
if ARGV[9] ~= '' then set('unusual', ARGV[9]) end
for i = 10, #ARGV do redis.call('SADD', key('marks'), ARGV[i]) end
touch()
return 1
)lua";

// number, before
constexpr const char* kHasBegun = R"lua(
if get('number') ~= ARGV[1] or get('before') ~= ARGV[2] then return 0 end
local left = redis.call('LLEN', key('queue')) + redis.call('ZCARD', key('deadlines'))
set('phase', left == 0 and 'done' or 'working')
return 1
)lua";

// token, most losses → bundle, settings, version
constexpr const char* kClaim = R"lua(
if not is_working() then return {} end
reap(tonumber(ARGV[2]))
if not is_working() then return {} end
local token = ARGV[1]
local id, version = unpack(redis.call('HMGET', key('lease'), token .. ':id', token .. ':version'))
if not id then
  id = redis.call('LPOP', key('queue'))
  if not id then return {} end
  version = get('version')
  redis.call('HSET', key('lease'), token .. ':id', id, token .. ':version', version, token .. ':number', 0)
  lease_until(token, tonumber(redis.call('HGET', key('lost'), id) or 0))
  touch()
end
return {redis.call('HGET', key('bundles'), id), redis.call('LINDEX', key('settings'), version), version}
)lua";

// token, number, version; executions, blocked, duplicates, events, unusual; rest, learnt; how many marks,
// marks..., bundles that are given away...
constexpr const char* kReport = R"lua(
local token, number, version = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local id, heard = unpack(redis.call('HMGET', key('lease'), token .. ':id', token .. ':number'))
if not id or not is_working() then return 0 end
if tonumber(heard) >= number then return 1 end
if ARGV[10] ~= '' then
  if version ~= get('version') then
    forget_lease(token)  -- this is no loss
    redis.call('LPUSH', key('queue'), id)
    return 0
  end
  redis.call('RPUSH', key('settings'), ARGV[10])
  version = tostring(redis.call('HINCRBY', key('run'), 'version', 1))
end
for i, name in ipairs({'executions', 'blocked', 'duplicates', 'events'}) do
  redis.call('HINCRBY', key('run'), name, ARGV[3 + i])
end
if ARGV[8] ~= '' then redis.call('HSETNX', key('run'), 'unusual', ARGV[8]) end
local marks = tonumber(ARGV[11])
for i = 12, 11 + marks do redis.call('SADD', key('marks'), ARGV[i]) end
for i = 12 + marks, #ARGV do
  local new = redis.call('HINCRBY', key('run'), 'ids', 1)
  redis.call('HSET', key('bundles'), new, ARGV[i])
  redis.call('RPUSH', key('queue'), new)
end
redis.call('HDEL', key('lost'), id)
if ARGV[9] ~= '' then
  redis.call('HSET', key('bundles'), id, ARGV[9])
  redis.call('HSET', key('lease'), token .. ':version', version, token .. ':number', number)
  lease_until(token, 0)
else
  forget_lease(token)
  redis.call('HDEL', key('bundles'), id)
  if redis.call('LLEN', key('queue')) + redis.call('ZCARD', key('deadlines')) == 0 then set('phase', 'done') end
end
touch()
return 1
)lua";

// token, message; or nothing: what it was
constexpr const char* kTrouble = R"lua(
if #ARGV == 0 then
  return {redis.call('HGET', key('bundles'), get('trouble')),
          redis.call('LINDEX', key('settings'), get('trouble_version')), get('message')}
end
local id, version = unpack(redis.call('HMGET', key('lease'), ARGV[1] .. ':id', ARGV[1] .. ':version'))
if id and is_working() then meet_trouble(id, version, ARGV[2]) end
return 1
)lua";

// token, most losses
constexpr const char* kGiveBack = R"lua(
give_back(ARGV[1], tonumber(ARGV[2]))
touch()
return 1
)lua";

// owner
constexpr const char* kPause = R"lua(
if is_working() then set('phase', 'paused') end
redis.call('DEL', key('owner'))
return 1
)lua";

// owner
constexpr const char* kFinish = R"lua(
if redis.call('GET', key('owner')) ~= ARGV[1] and redis.call('EXISTS', key('owner')) == 1 then return 0 end
for _, name in ipairs(kAll) do redis.call('DEL', key(name)) end
set('phase', 'over')
redis.call('EXPIRE', key('run'), 3600)
redis.call('DEL', key('owner'))
return 1
)lua";

std::string script(const char* body) { return std::string(kCommon) + body; }

}  // namespace

Scripts::Scripts()
    : open(script(kOpen)),
      look(script(kLook)),
      begin(script(kBegin)),
      has_begun(script(kHasBegun)),
      claim(script(kClaim)),
      report(script(kReport)),
      trouble(script(kTrouble)),
      give_back(script(kGiveBack)),
      pause(script(kPause)),
      finish(script(kFinish)) {}

}  // namespace heddle::redis
