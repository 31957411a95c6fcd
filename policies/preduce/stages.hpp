#pragma once
// What a policy of your own is made of, by public names: docs/write-your-own-policy.md.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/fold_alone.hpp>
#include <preduce/stages/fold_grid.hpp>
#include <preduce/stages/last_ticket.hpp>
#include <preduce/stages/look_back.hpp>
#include <preduce/stages/two_kernels.hpp>

namespace preduce::inline PREDUCE_ABI {
namespace stages {

using detail::fold_alone;          ///< one thread folds everything: its total
using detail::fold_partials;       ///< one block folds the partials and delivers the total
using detail::fold_units;          ///< this block's units, each value to its place in the partials, or where you say
using detail::is_delivered;        ///< under submit_units_or_one: fold_units has delivered the only unit's total
using detail::launch_kind;         ///< plain, overlaps_previous, cooperative
using detail::launch_last_ticket;  ///< last_block's kernel
using detail::launch_look_back;    ///< look_back's kernel, or last_block's where the plan says so
using detail::launch_two_kernels;  ///< two_pass's kernels
using detail::slot_plan;           ///< the shared memory that a block's values meet in
using detail::take_last_ticket;    ///< whether this block is the last of the grid to arrive

}  // namespace stages
}  // namespace preduce::inline PREDUCE_ABI
