import { ownWorkerConnections } from "./worker-connections.ts";

/** The tables that are distributed, by `line_item_id`, in the order in which Citus can do it. */
export const distributedTables = ["deliveries", "delivery_revisions"] as const;

const columns =
  "line_item_id, day, audience_id, channel, source, impressions, clicks, conversions, spend_micros, revenue_micros, reach, report_id";

/**
 * What is read of facts, before it has its name: its foreign keys lock the tables of others, which must not wait for
 * the copy.
 */
const unfilled = "line_item_audience_days_unfilled";

/** The triggers and foreign keys of the tables and of their partitions, which Citus cannot distribute. */
const dropBindings = `
do $$ declare found record; begin
  for found in
    select conrelid::regclass as name, conname from pg_constraint
    where contype = 'f' and conparentid = 0 and conrelid in (select relid from pg_partition_tree('deliveries') union all select relid from pg_partition_tree('delivery_revisions'))
  loop
    execute format('alter table %s drop constraint %I', found.name, found.conname);
  end loop;
  for found in
    select tgrelid::regclass as name, tgname from pg_trigger
    where not tgisinternal and tgparentid = 0 and tgrelid in (select relid from pg_partition_tree('deliveries') union all select relid from pg_partition_tree('delivery_revisions'))
  loop
    execute format('drop trigger %I on %s', found.tgname, found.name);
  end loop;
end $$`;

/**
 * What is done before, each in a transaction of its own that may be repeated: it locks tables that every page needs.
 * Pages and reports read line items and audiences before facts, and reports are inserted after facts were read.
 */
export const preparingStatements: readonly string[] = [
  `drop table if exists ${unfilled}`,
  `create table ${unfilled} (
    line_item_id uuid not null constraint line_item_audience_days_line_item_id_fkey references line_items, day date not null,
    audience_id uuid not null constraint line_item_audience_days_audience_id_fkey references audiences, channel text not null, source text not null,
    impressions bigint not null, clicks bigint not null, conversions bigint not null, spend_micros bigint not null, revenue_micros bigint not null, reach bigint,
    report_id uuid not null constraint line_item_audience_days_report_id_fkey references delivery_reports,
    constraint line_item_audience_days_pkey primary key (line_item_id, day, audience_id, channel, source))`,
  "lock table line_items in access exclusive mode; alter table deliveries drop constraint if exists deliveries_line_item",
  "lock table audiences in access exclusive mode; alter table deliveries drop constraint if exists deliveries_audience",
  "alter table deliveries drop constraint if exists deliveries_report",
];

/**
 * A month whose rows are in the default partition already stays there: Citus cannot move them in the same transaction.
 * So does that month of a table whose partitions refer to those of such a table. The partitions of what is not
 * distributed have keys of their own.
 */
export const createMonthPartitions = `
create or replace function create_month_partitions(until date) returns integer language plpgsql security definer
  set search_path to 'public', 'pg_temp' set lock_timeout to '500ms' as $$
declare
  today timestamp := now() at time zone 'UTC';
  month date;
  part record;
  is_late boolean;
  created integer := 0;
begin
  if not pg_try_advisory_xact_lock(4206660816) then return 0; end if;
  perform set_config('citus.multi_shard_modify_mode', 'sequential', true), ${ownWorkerConnections};
  for month in select generate_series(date_trunc('month', today), least(until, today + interval '1 year'), interval '1 month') loop
    for part in select * from month_tables() where month >= starts and to_regclass(format('public.%I', name || '_' || to_char(month, 'YYYY_MM'))) is null order by place loop
      execute format('select exists (select 1 from %I where %I >= %L and %I < %L)', part.name || '_default', part.key, month_bound(part.kind, month), part.key,
        month_bound(part.kind, (month + interval '1 month')::date)) into is_late;
      is_late := is_late or exists (
        select from pg_inherits mine join pg_constraint fk on fk.conrelid = mine.inhrelid and fk.contype = 'f' join pg_inherits theirs on theirs.inhrelid = fk.confrelid
        where mine.inhparent = part.name::regclass and to_regclass(format('public.%I', theirs.inhparent::regclass::text || '_' || to_char(month, 'YYYY_MM'))) is null);
      if not is_late then
        if part.name in ('${distributedTables.join("', '")}') then
          execute format('create table %I partition of %I for values from (%L) to (%L)', part.name || '_' || to_char(month, 'YYYY_MM'), part.name,
            month_bound(part.kind, month), month_bound(part.kind, (month + interval '1 month')::date));
        else
          perform prepare_partition(part.name, to_char(month, 'YYYY_MM'));
          execute format('alter table %I attach partition %I for values from (%L) to (%L)', part.name, part.name || '_' || to_char(month, 'YYYY_MM'),
            month_bound(part.kind, month), month_bound(part.kind, (month + interval '1 month')::date));
        end if;
        created := created + 1;
      end if;
    end loop;
  end loop;
  return created;
end $$`;

/**
 * What a transaction does that distributes a database: rows of facts are summed by triggers of two local tables
 * instead, through which the product sends each change (app/domain/delivery/distributed-facts.server.ts), and what is
 * read of facts becomes a local table. It locks facts alone, the view first as its readers do: nothing else waits while
 * rows are copied.
 */
export const distributionStatements: readonly string[] = [
  "set local citus.multi_shard_modify_mode to 'sequential'",
  "lock table line_item_audience_days, deliveries, delivery_revisions in access exclusive mode",
  "drop view line_item_audience_days",
  `alter table ${unfilled} rename to line_item_audience_days`,
  `insert into line_item_audience_days (${columns}) select ${columns} from deliveries`,
  "create table delivery_additions (like deliveries including constraints)",
  "create table delivery_restatements (like deliveries including constraints including indexes)",
  `create function store_audience_days() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
  begin
    if tg_op = 'INSERT' then
      insert into line_item_audience_days (${columns}) select ${columns} from come;
    else
      update line_item_audience_days kept set impressions = come.impressions, clicks = come.clicks, conversions = come.conversions, spend_micros = come.spend_micros,
        revenue_micros = come.revenue_micros, reach = come.reach, report_id = come.report_id
      from come where kept.line_item_id = come.line_item_id and kept.day = come.day and kept.audience_id = come.audience_id and kept.channel = come.channel and kept.source = come.source;
    end if;
    return null;
  end $$`,
  ...["sum_deliveries", "sum_delivery_creatives", "store_audience_days"].flatMap((name) => [
    `create trigger delivery_additions_${name} after insert on delivery_additions referencing new table as come for each statement execute function ${name}()`,
    `create trigger delivery_restatements_${name} after update on delivery_restatements referencing old table as gone new table as come for each statement execute function ${name}()`,
  ]),
  `do $$ declare found record; begin
    for found in select acl.privilege_type, acl.grantee::regrole as grantee from pg_class own, aclexplode(own.relacl) acl where own.oid = 'account_days'::regclass and acl.grantee not in (0, own.relowner) loop
      execute format('grant %s on delivery_additions, delivery_restatements to %s', found.privilege_type, found.grantee);
      execute format('grant select on line_item_audience_days to %s', found.grantee);
    end loop;
  end $$`,
  dropBindings.trim(),
  "select create_distributed_table('deliveries', 'line_item_id')",
  "select create_distributed_table('delivery_revisions', 'line_item_id', colocate_with => 'deliveries')",
  createMonthPartitions.trim(),
];
