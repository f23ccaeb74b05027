# SPDX-License-Identifier: MIT
# The arrows between rooms: each room, and the rooms it may use.  A room that is not listed does not
# exist; an arrow that is not listed stops the configuration (links) or fails a test (includes).
#
#   linalg ← {covariance, likelihood} ← inference ← learning;   linalg ← data;   all of these ← model ← audit
set(CANDOR_ROOMS linalg covariance likelihood inference learning data model audit)
set(CANDOR_ARROWS_linalg)
set(CANDOR_ARROWS_covariance linalg)
set(CANDOR_ARROWS_likelihood linalg)
set(CANDOR_ARROWS_inference linalg covariance likelihood)
set(CANDOR_ARROWS_learning linalg covariance likelihood inference)
set(CANDOR_ARROWS_data linalg)
set(CANDOR_ARROWS_model linalg covariance likelihood inference learning data)
set(CANDOR_ARROWS_audit linalg covariance likelihood inference learning data model)

# Sets <result> to an error message when `room` may not use `used`, and to nothing when it may.
function(candor_check_arrow room used result)
  set(message "")
  if(NOT room IN_LIST CANDOR_ROOMS)
    set(message "'${room}' is not a room: add it to cmake/CandorArrows.cmake")
  elseif(NOT used STREQUAL room AND NOT used IN_LIST CANDOR_ARROWS_${room})
    list(JOIN CANDOR_ARROWS_${room} ", " allowed)
    if(NOT allowed)
      set(allowed "none")
    endif()
    set(message "candor/${room} must not use candor/${used}: the rooms it may use are ${allowed}")
  endif()
  set(${result} "${message}" PARENT_SCOPE)
endfunction()
