CREATE TABLE "console"."index_transactions" (
	"environment" text NOT NULL,
	"id" text NOT NULL,
	"card_account_id" text NOT NULL,
	"card_id" text,
	"card_last4" text,
	"card_embossed_name" text,
	"xid" text,
	"status" text,
	"intent" text,
	"entry_type" text,
	"currency" text,
	"amount" numeric(24, 8),
	"authorization_type" text,
	"authorized_currency" text,
	"authorized_amount" numeric(24, 8),
	"response_code" text,
	"response_message" text,
	"merchant_name" text,
	"mcc" text,
	"merchant_category" text,
	"country" text,
	"description" text,
	"dispute_status" text,
	"created_at" timestamp (3) with time zone,
	"posted_at" timestamp (3) with time zone,
	"search_text" text NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"event_time" timestamp (3) with time zone,
	CONSTRAINT "index_transactions_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "console"."index_transaction_readings" (
	"environment" text NOT NULL,
	"card_account_id" text NOT NULL,
	"is_whole" boolean DEFAULT false NOT NULL,
	"read_to" timestamp (3) with time zone,
	"resume_at" timestamp (3) with time zone,
	"opening_balance" numeric(24, 8),
	CONSTRAINT "index_transaction_readings_environment_card_account_id_pk" PRIMARY KEY("environment","card_account_id")
);
--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ADD COLUMN "figures_changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."directory_accounts" ADD COLUMN "transactions_read_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "index_transactions_id" ON "console"."index_transactions" USING btree ("environment",lower(id));--> statement-breakpoint
CREATE INDEX "index_transactions_by_created" ON "console"."index_transactions" USING btree ("environment","created_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_by_amount" ON "console"."index_transactions" USING btree ("environment","currency","amount","id");--> statement-breakpoint
CREATE INDEX "index_transactions_account" ON "console"."index_transactions" USING btree ("environment","card_account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_card" ON "console"."index_transactions" USING btree ("environment","card_id","created_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_status" ON "console"."index_transactions" USING btree ("environment","status","created_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_intent" ON "console"."index_transactions" USING btree ("environment","intent","created_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_mcc" ON "console"."index_transactions" USING btree ("environment","mcc","created_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_merchant" ON "console"."index_transactions" USING btree ("environment",lower(merchant_name),"created_at","id");--> statement-breakpoint
CREATE INDEX "index_transactions_declined" ON "console"."index_transactions" USING btree ("environment","response_code","created_at","id") WHERE status = 'declined';--> statement-breakpoint
CREATE INDEX "index_transactions_disputed" ON "console"."index_transactions" USING btree ("environment","dispute_status","created_at","id") WHERE dispute_status is not null;--> statement-breakpoint
CREATE INDEX "index_transactions_totals" ON "console"."index_transactions" USING btree ("environment","currency","status","entry_type","amount");--> statement-breakpoint
CREATE INDEX "directory_accounts_transactions_due" ON "console"."directory_accounts" USING btree ("environment","figures_changed_at" DESC NULLS LAST) WHERE transactions_read_at is null or transactions_read_at < figures_changed_at;--> statement-breakpoint
DO $$
DECLARE extension_schema name;
BEGIN
  SELECT n.nspname INTO extension_schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF extension_schema IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "index_transactions_search" ON "console"."index_transactions" USING gin ("search_text" %I.gin_trgm_ops)', extension_schema);
  END IF;
END
$$;
